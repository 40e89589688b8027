/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASNet-EX, remote atomic operations: work stealing. Tasks are numbers, and a rank has a range of
 * them, which is one word of its segment. The rank takes the first task of its range; a rank without
 * tasks takes the second half of another's. Either is a compare-and-swap of the whole word, so each
 * task is done once, and nobody is ever interrupted or asked.
 *
 *     cc gex_steal.c -o gex_steal $(pkg-config --cflags --libs gasnet-ucx-par)
 *     upcrun -n 4 ./gex_steal
 */
#include <gasnetex.h>

#include <gasnet_ratomic.h>

#include <sched.h>
#include <stdio.h>

enum { TASKS = 3000 };

/* Of each rank's segment, which begins as zeros. */
struct shared {
    uint64_t range;       /* of the rank's tasks: see range_of */
    uint64_t done, total; /* rank 0's: tasks that are done, the sum of their results */
};

static gex_TM_t all;
static gex_AD_t domain;
static gex_Rank_t me, size;

static struct shared *shared_of(gex_Rank_t rank) {
    void *address = NULL;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, &address, NULL, NULL, 0));
    return address;
}

/* One operation, waited for; returns the word as it was, if the operation fetches. */
static uint64_t atomic(gex_Rank_t rank, uint64_t *word, gex_OP_t op, uint64_t a, uint64_t b) {
    uint64_t old = 0;
    gex_Event_Wait(gex_AD_OpNB_U64(domain, &old, rank, word, op, a, b, 0));
    return old;
}

/* ---- ranges: [begin, end) ---- */

static uint64_t range_of(uint32_t begin, uint32_t end) {
    return (uint64_t)begin << 32 | end;
}

static uint32_t begin_of(uint64_t range) {
    return (uint32_t)(range >> 32);
}

static uint32_t end_of(uint64_t range) {
    return (uint32_t)range;
}

/* Takes the first task of this rank's own range; false if there is none. */
static int take(uint32_t *task) {
    uint64_t *word = &shared_of(me)->range;
    uint64_t range = atomic(me, word, GEX_OP_GET, 0, 0);
    while (begin_of(range) < end_of(range)) {
        uint64_t rest = range_of(begin_of(range) + 1, end_of(range));
        uint64_t old = atomic(me, word, GEX_OP_FCAS, range, rest);
        if (old == range) {
            *task = begin_of(range);
            return 1;
        }
        range = old; /* a thief came first: what it left */
    }
    return 0;
}

/* Takes the second half of another's range; false if it has nothing, or changed in between. A range
 * may come back as it was: then the same tasks are to be done, and the swap is as good. */
static int steal(gex_Rank_t victim) {
    uint64_t *word = &shared_of(victim)->range;
    uint64_t range = atomic(victim, word, GEX_OP_GET, 0, 0);
    uint32_t begin = begin_of(range), end = end_of(range);
    if (begin >= end) {
        return 0;
    }
    uint32_t middle = begin + (end - begin) / 2;
    if (atomic(victim, word, GEX_OP_FCAS, range, range_of(begin, middle)) != range) {
        return 0;
    }
    atomic(me, &shared_of(me)->range, GEX_OP_SET, range_of(middle, end), 0);
    return 1;
}

/* A task: steps of Collatz's sequence to 1, from a few numbers. Some are far longer than others. */
static uint64_t work(uint32_t task) {
    uint64_t steps = 0;
    for (uint64_t first = task * 50 + 1; first <= task * 50 + 50; first++) {
        for (uint64_t n = first; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) {
            steps++;
        }
    }
    return steps;
}

int main(int argc, char **argv) {
    gex_Client_t client;
    gex_EP_t ep;
    gex_Segment_t segment;
    gex_Client_Init(&client, &ep, &all, "STEAL", &argc, &argv, 0);
    gex_Segment_Attach(&segment, all, GASNET_PAGESIZE);
    gex_AD_Create(&domain, all, GEX_DT_U64, GEX_OP_GET | GEX_OP_SET | GEX_OP_FCAS | GEX_OP_ADD, 0);
    me = gex_TM_QueryRank(all);
    size = gex_TM_QuerySize(all);

    struct shared *first = shared_of(0);
    if (me == 0) { /* the worst that can be: one rank has everything */
        atomic(0, &first->range, GEX_OP_SET, range_of(0, TASKS), 0);
    }
    do {
        uint32_t task, done = 0;
        uint64_t found = 0;
        for (; take(&task); done++) {
            found += work(task);
        }
        if (done > 0) { /* the sum first: a rank that sees all tasks done sees all of it */
            atomic(0, &first->total, GEX_OP_ADD, found, 0);
            atomic(0, &first->done, GEX_OP_ADD, done, 0);
        }
        int stolen = 0;
        for (gex_Rank_t i = 1; i < size && !stolen; i++) {
            stolen = steal((me + i) % size);
        }
        if (!stolen) {
            gasnet_AMPoll();
            sched_yield(); /* ranks that have work may need this CPU */
        }
    } while (atomic(0, &first->done, GEX_OP_GET, 0, 0) < TASKS);

    gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    if (me == 0) {
        uint64_t expected = 0;
        for (uint32_t task = 0; task < TASKS; task++) {
            expected += work(task);
        }
        if (first->done != TASKS || first->total != expected) {
            printf("%d tasks, done %d times\n", TASKS, (int)first->done);
            gasnet_exit(1);
        }
        printf("%d tasks done by %u ranks: ok\n", TASKS, size);
    }
    gex_AD_Destroy(domain);
    return 0;
}
