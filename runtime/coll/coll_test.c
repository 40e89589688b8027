/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations by threads and by processes, against what they must come to, for every
 * combination of waiting; without waiting the test itself has barriers. */
#include "coll/move.h"
#include "coll/reduce.h"
#include "comm/comm.h"
#include "core/test.h"

#include <sched.h>

enum { MOST_THREADS = 8, STRIDE = 1 << 14, ROUNDS = 200 };

static const char *const names[] = {"the test"};

struct rig {
    unsigned threads;
    unsigned char *segments; /* [threads][STRIDE] */
    struct fl_layout layout;
    struct fl_barrier barrier;
    struct fl_coll_team team;
};

static void rig_init(struct rig *rig, unsigned threads) {
    rig->threads = threads;
    rig->segments = test_shared_memory((size_t)threads * STRIDE);
    void *board = test_shared_memory(fl_coll_bytes(threads));
    fl_barrier_attach(&rig->barrier, test_shared_memory(fl_barrier_bytes(threads)), threads,
                      FL_BARRIER_CENTRAL, fl_wait_choose(threads, 1, 0, 0), names);
    CHECK(fl_layout_make(&rig->layout, threads, threads, 1, (const unsigned[]){0}, 0), "layout");
    fl_coll_attach(&rig->team, board, &rig->barrier, &rig->layout, STRIDE);
}

/* One thread of a test. */
struct part {
    struct rig *rig;
    struct fl_barrier_thread barrier;
    struct fl_coll_thread thread;
    unsigned me;
    bool good;
};

static struct fl_coll_call call_of(struct part *part, int round) {
    return (struct fl_coll_call){.team = &part->rig->team,
                                 .thread = &part->thread,
                                 .in = (enum fl_coll_sync)(round % 3),
                                 .out = (enum fl_coll_sync)(round / 3 % 3)};
}

static void barrier(struct part *part) {
    const struct fl_barrier_mark mark = {.kind = 0};
    fl_barrier_notify(&part->rig->barrier, &part->barrier, &mark);
    fl_barrier_wait(&part->rig->barrier, &part->barrier, &mark);
}

static void before(struct part *part, const struct fl_coll_call *call, int round) {
    if (call->in == FL_COLL_NONE) {
        barrier(part);
    }
    for (unsigned i = (part->me * 7 + (unsigned)round * 5) % 11; i > 8; i--) {
        sched_yield();
    }
}

static void after(struct part *part, const struct fl_coll_call *call) {
    if (call->out == FL_COLL_NONE) {
        barrier(part);
    }
}

static int *ints_of(struct part *part, unsigned thread, size_t at) {
    return (int *)(void *)(part->rig->segments + (size_t)thread * STRIDE + at);
}

static void expect(struct part *part, const char *what, int round, long got, long expected) {
    if (got != expected && part->good) {
        printf("# %s, round %d, thread %u: %ld, not %ld\n", what, round, part->me, got, expected);
        part->good = false;
    }
}

enum { SRC = 0, DST = 4096, TABLE = 8192 };

static void try_moves(struct part *part, int round) {
    struct fl_coll_call call = call_of(part, round);
    unsigned me = part->me, threads = part->rig->threads;
    int *src = ints_of(part, 0, SRC), *dst = ints_of(part, 0, DST), *table = ints_of(part, 0, TABLE);
    for (unsigned t = 0; t < threads; t++) {
        ints_of(part, me, SRC)[t] = round * 1000 + (int)(me * 10 + t);
    }
    before(part, &call, round);
    fl_coll_exchange(&call, table, src, sizeof(int));
    after(part, &call);
    for (unsigned t = 0; t < threads; t++) {
        expect(part, "exchange", round, ints_of(part, me, TABLE)[t],
               round * 1000 + (int)(t * 10 + me));
    }
    barrier(part);
    unsigned root = (unsigned)round % threads;
    before(part, &call, round);
    fl_coll_broadcast(&call, dst, ints_of(part, root, SRC), sizeof(int));
    after(part, &call);
    expect(part, "broadcast", round, *ints_of(part, me, DST), round * 1000 + (int)root * 10);
    if (me == root && call.out != FL_COLL_NONE) {
        *ints_of(part, root, SRC) = -1; /* nobody reads it any more */
    }
    barrier(part);
}

static long sum_to(long n) {
    return n * (n + 1) / 2;
}

/* Element i of an array of blocks of 3 is i. */
static void try_reductions(struct part *part, int round) {
    struct fl_coll_call call = call_of(part, round);
    unsigned me = part->me, threads = part->rig->threads;
    struct fl_coll_operator add = fl_coll_operator(FL_COLL_I, FL_COLL_ADD);
    add.ordered = round % 2;
    size_t first = (size_t)round % 17, count = (size_t)round % 41;
    struct fl_coll_array array = {(uintptr_t)ints_of(part, 0, SRC), first, count, 3};
    long sum = count ? sum_to((long)(first + count) - 1) - sum_to((long)first - 1) : -5;
    for (unsigned i = 0; i < 64; i++) {
        ints_of(part, me, SRC)[i] = (int)(i / 3 * 3 * threads + me * 3 + i % 3);
    }
    *ints_of(part, me, TABLE) = -5;
    before(part, &call, round);
    fl_coll_reduce_all(&call, ints_of(part, 0, TABLE), &array, &add);
    after(part, &call);
    expect(part, "reduce_all", round, *ints_of(part, me, TABLE), sum);
    barrier(part);
    before(part, &call, round);
    fl_coll_prefix_reduce(&call, (uintptr_t)ints_of(part, 0, DST), &array, &add);
    after(part, &call);
    for (size_t i = first; i < first + count; i++) {
        if (i / 3 % threads == me) {
            expect(part, "prefix_reduce", round,
                   ints_of(part, me, DST)[i / 3 / threads * 3 + i % 3],
                   sum_to((long)i) - sum_to((long)first - 1));
        }
    }
    barrier(part);
}

/* Values larger than a slot, with no barrier anywhere. */
static void try_values(struct part *part, int round) {
    struct fl_coll_call call = call_of(part, round);
    unsigned me = part->me, threads = part->rig->threads, root = (unsigned)round % threads;
    struct large {
        int a[50];
    } mine = {.a = {[49] = (int)me}}, table[MOST_THREADS];
    int value = (int)me + 1;
    struct fl_coll_operator add = fl_coll_operator(FL_COLL_I, FL_COLL_ADD);
    fl_coll_value_reduce(&call, &value, &add, me == root);
    expect(part, "value_reduce", round, value, me == root ? sum_to(threads) : (long)me + 1);
    fl_coll_value_gather(&call, me == root || round % 5 == 0 ? table : NULL, &mine, sizeof mine);
    for (unsigned t = 0; t < threads && me == root; t++) {
        expect(part, "value_gather", round, table[t].a[49], t);
    }
    fl_coll_value_scatter(&call, &mine, table, sizeof mine, root);
    expect(part, "value_scatter", round, mine.a[49], me);
    fl_coll_value_permute(&call, &mine, sizeof mine, (me + root) % threads);
    expect(part, "value_permute", round, mine.a[49], (me + threads - root) % threads);
    fl_coll_value_broadcast(&call, &mine, sizeof mine, root);
    expect(part, "value_broadcast", round, mine.a[49], 0);
    value = 1;
    fl_coll_value_prefix_reduce(&call, &value, &add);
    expect(part, "value_prefix_reduce", round, value, me + 1);
}

static bool body(unsigned me, void *context) {
    struct rig *rig = context;
    struct part part = {.rig = rig, .barrier = {.me = me}, .me = me, .good = true};
    part.thread.barrier = &part.barrier;
    for (int round = 0; round < ROUNDS; round++) {
        try_moves(&part, round);
        try_reductions(&part, round);
        try_values(&part, round);
    }
    return part.good;
}

static void test_integers_wrap(void) {
    unsigned short a[2] = {65535, 65535};
    int b[2] = {INT32_MAX, 1};
    fl_coll_operator(FL_COLL_US, FL_COLL_MULT).fold(&a[0], &a[1], 1, NULL);
    fl_coll_operator(FL_COLL_I, FL_COLL_ADD).fold(&b[0], &b[1], 1, NULL);
    CHECK(a[0] == 1 && b[0] == INT32_MIN, "sums and products wrap");
    CHECK(!fl_coll_operator(FL_COLL_D, FL_COLL_XOR).fold, "no bitwise operation on double");
}

int main(void) {
    fl_comm_here = (struct fl_comm_here){0, UINT64_MAX, true};
    test_integers_wrap();
    static const unsigned counts[] = {1, 2, 3, 5, MOST_THREADS};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct rig rig;
        rig_init(&rig, counts[i]);
        CHECK(test_in_threads(counts[i], body, &rig), "%u threads", counts[i]);
        fl_layout_release(&rig.layout);
        rig_init(&rig, counts[i]);
        CHECK(test_in_processes(counts[i], body, &rig), "%u processes", counts[i]);
        fl_layout_release(&rig.layout);
    }
    return test_done();
}
