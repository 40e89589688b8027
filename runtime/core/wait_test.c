/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether yielding stops when it takes long, and sleepers at a bell miss no ring. */
#include "core/wait.h"

#include "core/test.h"

#include <stdatomic.h>

static atomic_bool over;

static bool always(void) {
    return true;
}

/* All on one CPU. Thread 0 yields, the others compute: each yield hands the CPU to them. */
static bool beside(unsigned me, void *context) {
    bool *refused = context;
    if (me > 0) {
        while (!atomic_load(&over)) {
        }
        return true;
    }
    uint64_t end = fl_os_now_ns() + 20000000000 /* a deadline */;
    while (!*refused && fl_os_now_ns() < end) {
        *refused = !fl_wait_yield();
    }
    atomic_store(&over, true);
    return true;
}

static int bind_to_first_cpu(void) {
    uint64_t words[16];
    unsigned cpu = 0;
    fl_os_cpu_set(words, 16);
    while (cpu < 1023 && !(words[cpu / 64] >> cpu % 64 & 1)) {
        cpu++;
    }
    uint64_t first[16] = {0};
    first[cpu / 64] = 1ull << cpu % 64;
    return fl_os_cpu_bind_set(first, 16);
}

enum { CROWD = 7, ROUNDS = 40000 };

static struct crowd {
    struct fl_wait_bell bell;
    _Atomic unsigned round, done;
} crowd;

struct goal {
    _Atomic unsigned *word;
    unsigned least;
};

static bool reached(void *context) {
    struct goal *goal = context;
    return atomic_load(goal->word) >= goal->least;
}

/* Thread 0 begins rounds, of which all others take part; all sleep at one bell. */
static bool in_crowd(unsigned me, void *context) {
    (void)context;
    const struct fl_wait_policy at_once = {0, 0};
    for (unsigned i = 1; i <= ROUNDS; i++) {
        struct goal begun = {&crowd.round, i}, done = {&crowd.done, i * (CROWD - 1)};
        if (me == 0) {
            atomic_store(&crowd.round, i);
            fl_wait_ring(&crowd.bell);
            fl_wait_among_others(&crowd.bell, reached, &done, at_once);
        } else {
            fl_wait_among_others(&crowd.bell, reached, &begun, at_once);
            atomic_fetch_add(&crowd.done, 1);
            fl_wait_ring(&crowd.bell);
        }
    }
    return true;
}

int main(void) {
    CHECK(test_in_threads(CROWD, in_crowd, NULL), "a crowd at a bell");
    bool refused = false;
    for (int i = 0; i < 100000; i++) {
        refused |= !fl_wait_yield();
    }
    CHECK(!refused, "yields are never refused where nobody avoids long ones");
    fl_wait_service.avoids_long_yields = always;
    if (bind_to_first_cpu() == 0) {
        CHECK(test_in_threads(3, beside, &refused) && refused,
              "beside threads that compute, yields are refused");
        unsigned again = 0;
        while (again < 1000 && !fl_wait_yield()) {
            again++;
        }
        CHECK(again < 1000, "but tried again");
    }
    return test_done();
}
