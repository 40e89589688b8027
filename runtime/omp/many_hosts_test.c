/* SPDX-License-Identifier: BSD-3-Clause */
/* More hosts than a word has bits: which of them host 0 matches, and that tasks go to the last ones.
 * The other hosts are this file. */
#include "core/test.h"
#include "omp/migrate_inside.h"

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *event);

enum { HOSTS = 3000, TASKS = 8, IN_A_MESSAGE = FL_OMP_FAR_TOLD / sizeof(struct fl_omp_request) - 1 };

/* What hosts have been told. */
static struct {
    unsigned gives, grants;
    unsigned last_from; /* the host that was asked for tasks */
    unsigned requests_of[HOSTS], own_requests_of[HOSTS], granted_to[HOSTS];
    unsigned moved; /* tasks */
} told;

static void hear_from(unsigned host, const void *message, size_t bytes) {
    fl_omp_told(host, message, bytes);
}

static void note_give(unsigned host, const struct fl_omp_give_message *words, size_t bytes) {
    const struct fl_omp_request *requests = (const void *)(words + 1);
    told.gives++;
    told.last_from = host;
    for (size_t i = 0; i < (bytes - sizeof *words) / sizeof *requests; i++) {
        told.requests_of[requests[i].host]++;
        told.own_requests_of[requests[i].host] += requests[i].for_own;
    }
}

/* The other host executes the tasks at once. */
static void run_tasks(unsigned host, const struct fl_omp_tasks_message *words) {
    const unsigned char *at = (const void *)(words + 1);
    told.grants += (unsigned)words->grants;
    told.granted_to[host]++;
    for (uint64_t i = 0; i < words->n; i++) {
        const struct fl_omp_moved *moved = (const void *)at;
        uint64_t data[FL_OMP_MOVABLE_MOST / sizeof(uint64_t)];
        memcpy(data, moved + 1, moved->bytes);
        moved->body(data);
        told.moved++;
        const struct {
            struct fl_omp_ended_message words;
            struct fl_omp_end end;
        } ended = {{.kind = fl_omp_kind_ended}, {.task = (uintptr_t)moved->task, .group_is_over = true}};
        hear_from(host, &ended, sizeof ended);
        at += fl_omp_moved_bytes(moved);
    }
}

void fl_omp_far_tell(unsigned host, const void *message, size_t bytes) {
    CHECK(bytes <= FL_OMP_FAR_TOLD, "a message to host %u has %zu bytes", host, bytes);
    const uint64_t *words = message;
    if (words[0] == fl_omp_kind_give) {
        note_give(host, message, bytes);
    } else if (words[0] == fl_omp_kind_tasks) {
        run_tasks(host, message);
    }
}

void fl_omp_far_release(unsigned host) {
    (void)host;
}

void fl_omp_far_acquire(unsigned from) {
    (void)from;
}

void fl_omp_far_rest(void) {}

uint64_t fl_omp_far_spent_ns(void) {
    return 0;
}

void *fl_omp_far_alloc(size_t bytes, size_t align) {
    return aligned_alloc(align, fl_round_up(bytes, align));
}

/* ---- host 0 matches idle hosts with overloaded ones ---- */

static void grow_idle(unsigned host, bool for_own) {
    const struct fl_omp_hungry_message message = {.kind = fl_omp_kind_hungry, .for_own = for_own};
    hear_from(host, &message, sizeof message);
}

static void grow_overloaded(unsigned host) {
    const struct fl_omp_plenty_message message = {.kind = fl_omp_kind_plenty};
    hear_from(host, &message, sizeof message);
}

static void test_matching(void) {
    for (unsigned host = 0; host + 1 < HOSTS; host++) {
        grow_idle(host, host % 3 == 0);
    }
    CHECK(told.gives == 0, "idle hosts are matched with nobody");
    for (unsigned asked = 0; asked + 1 < HOSTS; asked += IN_A_MESSAGE) {
        grow_overloaded(HOSTS - 1);
    }
    CHECK(told.last_from == HOSTS - 1, "the last host is asked");
    CHECK(told.gives == (HOSTS - 1 + IN_A_MESSAGE - 1) / IN_A_MESSAGE,
          "as few messages as have room: %u", told.gives);
    bool once = true, as_asked = true;
    for (unsigned host = 0; host < HOSTS; host++) {
        once = once && told.requests_of[host] == (host + 1 < HOSTS);
        as_asked = as_asked && told.own_requests_of[host] == (host + 1 < HOSTS && host % 3 == 0);
    }
    CHECK(once, "each idle host is granted tasks once");
    CHECK(as_asked, "hosts that ask for their own tasks get these alone");
    grow_idle(HOSTS - 1, false);
    grow_overloaded(2);
    CHECK(told.requests_of[HOSTS - 1] == 1 && told.last_from == 2, "the last host is granted tasks");
}

/* ---- a host grants what it is asked for ---- */

static _Atomic unsigned run; /* tasks */
static atomic_bool over;

static void count(void *data) {
    atomic_fetch_add_explicit(&run, *(unsigned *)data, memory_order_relaxed);
}

static void ask_for(struct fl_omp_request first, struct fl_omp_request second) {
    const struct {
        struct fl_omp_give_message words;
        struct fl_omp_request requests[2];
    } give = {{.kind = fl_omp_kind_give}, {first, second}};
    hear_from(0, &give, sizeof give);
}

static void make_and_grant(struct fl_omp_member *me) {
    atomic_store_explicit(&me->team->agrees, true, memory_order_relaxed);
    for (unsigned i = 0; i < TASKS; i++) {
        unsigned one = 1;
        GOMP_task(count, &one, NULL, sizeof one, sizeof one, true, 0, NULL, 0, NULL);
    }
    ask_for((struct fl_omp_request){HOSTS - 1, false}, (struct fl_omp_request){64, false});
    ask_for((struct fl_omp_request){HOSTS - 1, false}, (struct fl_omp_request){65, true});
    fl_omp_grant(me, false);
    fl_omp_grant(me, false); /* there is nothing more to grant */
}

/* Thread 1 looks for no tasks. */
static void region(void *unused) {
    (void)unused;
    struct fl_omp_member *me = fl_omp_me;
    if (me->index == 0) {
        make_and_grant(me);
        /* Relaxed: the test's own hint. */
        atomic_store_explicit(&over, true, memory_order_relaxed);
    }
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        fl_os_yield();
    }
}

static void test_granting(void) {
    GOMP_parallel(region, NULL, 2, 0);
    CHECK(told.grants == 4, "requests are granted once each: %u", told.grants);
    CHECK(told.granted_to[HOSTS - 1] == 1 && told.granted_to[64] == 1 && told.granted_to[65] == 1,
          "hosts beyond the 64th are sent a message each");
    CHECK(told.moved > 0, "tasks have moved: %u", told.moved);
    CHECK(atomic_load(&run) == TASKS, "each task has run once");
}

int main(void) {
    fl_omp_start(&(struct fl_omp_far){.hosts = HOSTS, .threads = 1, .ends_most = 32});
    test_matching();
    test_granting();
    return test_done();
}
