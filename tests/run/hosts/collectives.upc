// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 2:2x1 3:5x1 2:2x2 4:7x1
// Collective operations with all flags; roots on each host.
#include <bupc_collectivev.h>
#include <upc.h>
#include <upc_collective.h>
#include "expect.h"

enum { N = 1000, BLOCKS = 7, EACH = 100 };
static shared [N] int src[N * THREADS], dst[N * THREADS];
static shared [3] int blocked[3 * BLOCKS * THREADS], sums[3 * BLOCKS * THREADS];
static shared int cyclic[EACH * THREADS], prefixes[EACH * THREADS];
static shared int permutation[THREADS];

static upc_flag_t flags;
static int me, root, salt;

static int value(int thread, int i)
{
    return thread * 10000 + i + salt;
}

static int get(shared const void *p)
{
    int result;
    upc_memget(&result, p, sizeof result);
    return result;
}

/* The other threads' results may be looked at, too. */
static void finished(void)
{
    if (!(flags & UPC_OUT_ALLSYNC))
        upc_barrier;
}

static void moves(void)
{
    int *d = (int *)&dst[me * N], *s = (int *)&src[me * N];
    for (int i = 0; i < N; i++)
        s[i] = value(me, i);
    *(int *)&permutation[me] = (me + salt) % THREADS;
    upc_barrier;
    upc_all_broadcast(dst, &src[root * N], N * sizeof(int), flags);
    finished();
    expect("broadcast", d[N - 1], value(root, N - 1));
    upc_barrier;
    upc_all_scatter(dst, &src[root * N], 4 * sizeof(int), flags);
    finished();
    expect("scatter", d[3], value(root, me * 4 + 3));
    upc_barrier;
    upc_all_gather(&dst[root * N], src, 4 * sizeof(int), flags);
    finished();
    for (int t = 0; t < THREADS; t++)
        expect("gather", get(&dst[root * N + t * 4 + 1]), value(t, 1));
    upc_barrier;
    upc_all_gather_all(dst, src, 10 * sizeof(int), flags);
    finished();
    for (int t = 0; t < THREADS; t++)
        expect("gather_all", d[t * 10 + 7], value(t, 7));
    upc_barrier;
    upc_all_exchange(dst, src, 10 * sizeof(int), flags);
    finished();
    for (int t = 0; t < THREADS; t++)
        expect("exchange", d[t * 10 + 7], value(t, me * 10 + 7));
    upc_barrier;
    upc_all_permute(dst, src, permutation, N * sizeof(int), flags);
    finished();
    expect("permute", d[5], value((me + THREADS - salt % THREADS) % THREADS, 5));
    upc_barrier;
}

static int add(int a, int b)
{
    return a + b;
}

static void reductions(void)
{
    int first = 5, count = 3 * BLOCKS * THREADS - 7, sum = 0;
    for (int i = 0; i < 3 * BLOCKS * THREADS; i++)
        if (i / 3 % THREADS == me)
            *(int *)&blocked[i] = i + salt;
    for (int i = me; i < EACH * THREADS; i += THREADS)
        *(int *)&cyclic[i] = i;
    upc_barrier;
    upc_op_t op = salt % 2 ? UPC_ADD : UPC_NONCOMM_FUNC;
    upc_all_reduceI(&dst[root * N + 1], &blocked[first], op, count, 3, add, flags);
    finished();
    for (int i = first; i < first + count; i++)
        sum += i + salt;
    expect("reduce", get(&dst[root * N + 1]), sum);
    upc_barrier;
    bupc_all_reduce_allI(dst, &blocked[first], UPC_ADD, count, 3, NULL, flags);
    finished();
    expect("reduce_all", *(int *)&dst[me * N], sum);
    upc_barrier;
    upc_all_prefix_reduceI(&sums[first], &blocked[first], UPC_ADD, count, 3, NULL, flags);
    finished();
    expect("prefix_reduce", get(&sums[first + count - 1]), sum);
    upc_barrier;
    upc_all_prefix_reduceI(prefixes, cyclic, UPC_ADD, EACH * THREADS, 1, NULL, flags);
    finished();
    for (int i = me; i < EACH * THREADS; i += 17)
        expect("prefix_reduce of a cyclic array", get(&prefixes[i]), i * (i + 1) / 2);
    upc_barrier;
}

static void values(void)
{
    struct large {
        int a[50];
    } mine = {.a = {[49] = me + salt}}, all[THREADS];
    expect("allv_reduce_all", bupc_allv_reduce_all(int, me + 1, UPC_ADD),
           THREADS * (THREADS + 1) / 2);
    expect("allv_prefix_reduce", bupc_allv_prefix_reduce(int, 1, UPC_ADD), me + 1);
    expect("allv_broadcast", bupc_allv_broadcast(int, me, root), root);
    expect("allv_permute", bupc_allv_permute(int, me, (me + 1) % THREADS),
           (me + THREADS - 1) % THREADS);
    bupc_allv_gather_all(struct large, mine, all);
    for (int t = 0; t < THREADS; t++)
        expect("allv_gather_all", all[t].a[49], t + salt);
    mine = bupc_allv_scatter(struct large, root, all);
    expect("allv_scatter", mine.a[49], me + salt);
}

int main(void)
{
    static const upc_flag_t in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    static const upc_flag_t out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    me = MYTHREAD;
    for (salt = 0; salt < 9; salt++) {
        flags = in[salt % 3] | out[salt / 3];
        root = salt % THREADS;
        moves();
        reductions();
        values();
    }
    return done();
}
