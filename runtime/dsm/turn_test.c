/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a host keeps locks that others want: turn.c as a host of two uses it, without locks.
 */
#include "core/test.h"
#include "dsm/inside.h"

enum { LOCKS = 256, ELDER = 0, ME = 1, YOUNGER = 2, TURN_NS = 20000000 };

static uint32_t locks[LOCKS]; /* when each was taken last */

static void take(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        fl_turn_take(&locks[i % LOCKS]);
    }
}

static bool keeps_from(uint16_t host, uint32_t number) {
    return fl_turn_keeps((struct fl_turn){.host = host, .number = number});
}

/* Takes locks as fast as it can until the host keeps one, or does not, from `host`. A thread may be held
 * up at any time, so that what a single call says proves nothing. */
static bool comes_to(bool keeps, uint16_t host, uint32_t number) {
    uint64_t end = fl_os_now_ns() + 10000000000u;
    while (fl_os_now_ns() < end) {
        take(100);
        if (keeps_from(host, number) == keeps) {
            return true;
        }
    }
    return false;
}

static bool never_keeps(uint16_t host, uint32_t number) {
    for (unsigned i = 0; i < 200; i++) {
        take(100);
        if (keeps_from(host, number)) {
            return false;
        }
    }
    return true;
}

static void test_sparse(void) {
    fl_turn_end();
    fl_os_nap();
    CHECK(!keeps_from(YOUNGER, 0), "nothing is kept where no lock was taken for long");
}

static void test_far(void) {
    enum { MANY = 40000 };
    static uint32_t others[MANY];
    bool kept = false;
    fl_turn_end();
    for (unsigned i = 0; i < MANY; i++) {
        fl_turn_take(&others[i]);
        kept = kept || (i % 100 == 99 && keeps_from(YOUNGER, 0));
    }
    CHECK(!kept, "nothing is kept where the host does not come back to its locks");
}

static void test_dense(void) {
    take(LOCKS);
    CHECK(comes_to(true, YOUNGER, 0), "locks are kept by a host that takes many");
    CHECK(never_keeps(ELDER, 0), "nothing is kept from a host of an older turn");
    (void)fl_turn_keeps((struct fl_turn){.host = ELDER, .pays = true});
    take(100);
    CHECK(!keeps_from(YOUNGER, 0), "nothing is kept where a host of an older turn keeps locks");
    fl_turn_end();
    CHECK(comes_to(true, YOUNGER, 0), "locks are kept again when it has not asked for long");
    fl_turn_end();
    CHECK(!keeps_from(YOUNGER, 0), "nothing is kept where all threads wait for others");
}

/* When its turn is over the host comes after all that it has heard of. */
static void test_over(void) {
    enum { NUMBER = 7 };
    CHECK(comes_to(true, YOUNGER, NUMBER), "locks are kept");
    CHECK(comes_to(false, YOUNGER, NUMBER), "a turn ends");
    while (fl_turn_now().number == 0) {
        (void)comes_to(false, YOUNGER, NUMBER);
    }
    CHECK(fl_turn_now().number == NUMBER + 1, "the next turn is number %u", fl_turn_now().number);
    CHECK(never_keeps(YOUNGER, NUMBER), "a host that had its turn keeps nothing from others");
    CHECK(never_keeps(ELDER, NUMBER + 1), "of hosts whose turns are as old, the first one comes first");
    CHECK(comes_to(true, YOUNGER, NUMBER + 1), "there is a second turn");
}

/* A host whose threads all wait for long keeps nothing, and does again when they go on. */
static void test_blocked(void) {
    fl_turn_end();
    CHECK(comes_to(true, YOUNGER, 100), "locks are kept");
    uint64_t since = fl_os_now_ns();
    fl_turn_begin_wait(since);
    while (fl_os_now_ns() - since < 5000000) {
    }
    CHECK(!keeps_from(YOUNGER, 100), "a host that is blocked keeps nothing");
    fl_turn_end_wait(fl_os_now_ns());
    fl_turn_end();
    CHECK(comes_to(true, YOUNGER, 1000), "locks are kept");
}

static void test_off(void) {
    fl_dsm.policies.turn_ns = 0;
    CHECK(never_keeps(YOUNGER, 2000), "nothing is kept where that is off");
}

int main(void) {
    fl_dsm.me = ME;
    fl_dsm.setup.threads = 1;
    fl_dsm.policies.turn_ns = TURN_NS;
    test_sparse();
    test_far();
    test_dense();
    test_over();
    test_blocked();
    test_off();
    return test_done();
}
