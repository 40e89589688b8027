/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier with every kind, patience, number of threads and mapping through one body. */
#include "sync/barrier.h"

#include "core/test.h"

enum { ROUNDS = TEST_TSAN ? 300 : 1000 };

static const char *const names[] = {"a barrier", "a collective call"};

struct setup {
    unsigned threads;
    enum fl_barrier_way way;
    struct fl_wait_policy policy;
    char *memory;   /* the barrier's */
    long *progress; /* [thread * 8]: epochs; plain, so that TSan sees a missing order */
};

static bool rounds(unsigned me, void *context) {
    const struct setup *setup = context;
    struct fl_barrier barrier;
    struct fl_barrier_thread self = {.me = me};
    fl_barrier_attach(&barrier, setup->memory, setup->threads, setup->way, setup->policy, names);
    for (long r = 1; r <= ROUNDS; r++) {
        /* Some barriers have values at some threads, as 6.6.1 allows. */
        struct fl_barrier_mark mark = {
            .has_value = (r + me) % 3 == 0, .value = (int)r, .file = "x.upc", .line = (int)r};
        setup->progress[me * 8] = r;
        fl_barrier_notify(&barrier, &self, &mark);
        fl_barrier_wait(&barrier, &self, &mark);
        for (unsigned t = 0; t < setup->threads; t++) {
            if (setup->progress[t * 8] != r) {
                return false; /* a thread left before all had arrived, or is ahead */
            }
        }
        const struct fl_barrier_mark plain = {0};
        fl_barrier_notify(&barrier, &self, &plain);
        fl_barrier_wait(&barrier, &self, &plain);
    }
    return true;
}

static struct setup new_setup(unsigned n, enum fl_barrier_way way, uint32_t spins,
                              uint32_t yields) {
    struct setup setup = {.threads = n, .way = way, .policy = {spins, yields}};
    setup.memory = test_shared_memory(fl_barrier_bytes(n));
    setup.progress = test_shared_memory(n * 8 * sizeof(long));
    return setup;
}

static void orders(void) {
    static const unsigned counts[] = {1, 2, 3, 5, 7, 8, 16};
    static const struct fl_wait_policy policies[] = {{100, 5}, {1, 50}, {1, 0}};
    static const char *const kinds[] = {"central", "dissemination", "pair"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] * 9; i++) {
        unsigned n = counts[i / 9];
        enum fl_barrier_way kind = (enum fl_barrier_way)(i % 3);
        struct fl_wait_policy policy = policies[i / 3 % 3];
        if (kind == FL_BARRIER_PAIR && n != 2) {
            continue;
        }
        struct setup setup = new_setup(n, kind, policy.spins, policy.yields);
        CHECK(test_in_threads(n, rounds, &setup), "%s, %u pthreads, %u spins, %u yields",
              kinds[kind], n, policy.spins, policy.yields);
        if (TEST_TSAN) {
            continue;
        }
        setup = new_setup(n, kind, policy.spins, policy.yields);
        CHECK(test_in_processes(n, rounds, &setup), "%s, %u processes, %u spins, %u yields",
              kinds[kind], n, policy.spins, policy.yields);
    }
}

/* The epoch's counter wraps after 2^31 barriers. */
static bool wrap(unsigned me, void *context) {
    const struct setup *setup = context;
    struct fl_barrier barrier;
    struct fl_barrier_thread self = {.me = me, .epoch = INT32_MAX - 3};
    fl_barrier_attach(&barrier, setup->memory, setup->threads, setup->way, setup->policy, names);
    const struct fl_barrier_mark plain = {0};
    for (int r = 0; r < 8; r++) {
        fl_barrier_notify(&barrier, &self, &plain);
        fl_barrier_wait(&barrier, &self, &plain);
    }
    return self.epoch == 4;
}

/* The marks of each of two threads, for the mistakes below. */
struct script {
    struct setup setup;
    struct fl_barrier_mark notify[2], wait[2];
};

static bool act(unsigned me, void *context) {
    const struct script *script = context;
    struct fl_barrier barrier;
    struct fl_barrier_thread self = {.me = me};
    fl_barrier_attach(&barrier, script->setup.memory, 2, script->setup.way, script->setup.policy,
                      names);
    const struct fl_barrier_mark large = {.kind = 1999};
    for (int r = 0; r < 64; r++) { /* until the sums of the pair have overflowed */
        fl_barrier_notify(&barrier, &self, &large);
        fl_barrier_wait(&barrier, &self, &large);
    }
    fl_barrier_notify(&barrier, &self, &script->notify[me]);
    fl_barrier_wait(&barrier, &self, &script->wait[me]);
    return true;
}

/* A script may be run again: the barrier starts anew. */
static bool act_both(unsigned me, void *context) {
    (void)me;
    memset(((struct script *)context)->setup.memory, 0, fl_barrier_bytes(2));
    return test_in_threads(2, act, context);
}

static struct fl_barrier_mark value(int v, int line) {
    return (struct fl_barrier_mark){.has_value = true, .value = v, .file = "m.upc", .line = line};
}

static void mistakes(enum fl_barrier_way kind) {
    const struct fl_barrier_mark none = {.file = "m.upc", .line = 9};
    struct script differ = {new_setup(2, kind, 10, 10), {value(3, 1), value(4, 2)}, {none, none}};
    CHECK(test_dies(act_both, &differ, "m.upc:1") && test_dies(act_both, &differ, "m.upc:2"),
          "notify values that differ name both places");
    struct script waits = {new_setup(2, kind, 10, 10), {none, value(4, 2)}, {value(5, 3), none}};
    CHECK(test_dies(act_both, &waits, "upc_wait in thread 0 has 5 (m.upc:3)"),
          "a wait value that differs from another thread's notify value");
    struct script only = {new_setup(2, kind, 10, 10), {none, none}, {value(5, 3), value(6, 3)}};
    CHECK(act_both(0, &only), "wait values alone are never an error (6.6.1p6)");
    struct script one = {new_setup(2, kind, 10, 10), {value(5, 1), none}, {none, value(5, 3)}};
    CHECK(act_both(0, &one), "a value at one thread agrees with none at the other");
    const struct fl_barrier_mark call = {.kind = 1};
    struct script kinds = {new_setup(2, kind, 10, 10), {call, none}, {call, none}};
    CHECK(test_dies(act_both, &kinds, "at a collective call") &&
              test_dies(act_both, &kinds, "at a barrier (m.upc:9)"),
          "kinds that differ are told with their places");
}

/* One of many threads is somewhere else: no thread may leave the barrier. */
static bool odd_one(unsigned me, void *context) {
    const struct setup *setup = context;
    struct fl_barrier barrier;
    struct fl_barrier_thread self = {.me = me};
    const struct fl_barrier_mark mark = {.kind = me == 2};
    fl_barrier_attach(&barrier, setup->memory, setup->threads, setup->way, setup->policy, names);
    fl_barrier_notify(&barrier, &self, &mark);
    fl_barrier_wait(&barrier, &self, &mark);
    fprintf(stderr, "left\n");
    _exit(0);
}

static bool odd_one_among_many(unsigned me, void *context) {
    (void)me;
    return test_in_threads(((const struct setup *)context)->threads, odd_one, context);
}

static bool notify_twice(unsigned me, void *context) {
    struct fl_barrier barrier;
    struct fl_barrier_thread self = {.me = me};
    const struct fl_barrier_mark mark = {.file = "m.upc", .line = 7};
    const struct setup *setup = context;
    fl_barrier_attach(&barrier, setup->memory, 2, setup->way, setup->policy, names);
    fl_barrier_notify(&barrier, &self, &mark);
    fl_barrier_notify(&barrier, &self, &mark);
    return true;
}

static bool wait_first(unsigned me, void *context) {
    struct fl_barrier barrier;
    struct fl_barrier_thread self = {.me = me};
    const struct fl_barrier_mark mark = {.file = "m.upc", .line = 8};
    const struct setup *setup = context;
    fl_barrier_attach(&barrier, setup->memory, 2, setup->way, setup->policy, names);
    fl_barrier_wait(&barrier, &self, &mark);
    return true;
}

int main(void) {
    orders();
    for (int kind = 0; kind < 3; kind++) {
        unsigned some = kind == FL_BARRIER_PAIR ? 2 : 3;
        struct setup setup = new_setup(some, (enum fl_barrier_way)kind, 10, 10);
        CHECK(test_in_threads(some, wrap, &setup), "the epoch wraps");
        if (!TEST_TSAN) { /* forking with threads about is more than TSan likes */
            mistakes((enum fl_barrier_way)kind);
            CHECK(test_dies(notify_twice, &setup, "m.upc:7"), "notify twice");
            CHECK(test_dies(wait_first, &setup, "m.upc:8"), "wait first");
            for (unsigned n = 3; n <= 16 && kind != FL_BARRIER_PAIR; n++) {
                setup = new_setup(n, (enum fl_barrier_way)kind, 10, 10);
                CHECK(test_dies(odd_one_among_many, &setup, "thread 2"),
                      "one of %u threads is elsewhere", n);
            }
        }
    }
    return test_done();
}
