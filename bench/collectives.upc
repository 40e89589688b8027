// SPDX-License-Identifier: BSD-3-Clause
/* Collective functions as collectives.h measures them: ALLSYNC; MYSYNC; NOSYNC, on request; and, as
 * the reference, plain copies between two barriers. */
#include "collectives.h"
#include <bupc_collectivev.h>
#include <stdatomic.h>
#include <upc_collective.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

static shared char *src, *dst;
static shared int next[THREADS];
static shared [MOST_TRIALS] double slots[MOST_TRIALS * THREADS];

static shared [] char *at(shared char *memory, size_t thread, size_t offset)
{
    return (shared [] char *)&memory[thread] + offset;
}

static char *mine(shared char *memory)
{
    return (char *)&memory[MYTHREAD];
}

static void copy_broadcast(size_t bytes)
{
    upc_memget(mine(dst), at(src, 0, 0), bytes);
}

static void copy_scatter(size_t bytes)
{
    upc_memget(mine(dst), at(src, 0, MYTHREAD * bytes), bytes);
}

static void copy_gather(size_t bytes)
{
    upc_memput(at(dst, 0, MYTHREAD * bytes), mine(src), bytes);
}

static void copy_gather_all(size_t bytes)
{
    for (int i = 0, t = MYTHREAD; i < THREADS; i++, t = (t + 1) % THREADS)
        upc_memget(mine(dst) + t * bytes, at(src, t, 0), bytes);
}

static void copy_exchange(size_t bytes)
{
    for (int i = 0, t = MYTHREAD; i < THREADS; i++, t = (t + 1) % THREADS)
        upc_memget(mine(dst) + t * bytes, at(src, t, MYTHREAD * bytes), bytes);
}

static void copy_permute(size_t bytes)
{
    upc_memput(at(dst, next[MYTHREAD], 0), mine(src), bytes);
}

// Each operation in its ways. The copies may go between barriers.
#define WAY(name, call, in_and_out)            \
    static void name(size_t bytes)             \
    {                                          \
        const upc_flag_t flags = in_and_out;   \
        call;                                  \
    }
#define OPERATION(name, call)                                            \
    WAY(name##_allsync, call, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)          \
    WAY(name##_mysync, call, UPC_IN_MYSYNC | UPC_OUT_MYSYNC)             \
    WAY(name##_nosync, call, UPC_IN_NOSYNC | UPC_OUT_NOSYNC)
#define MOVE(name, call)                       \
    OPERATION(name, call)                      \
    static void name##_barriers(size_t bytes)  \
    {                                          \
        upc_barrier;                           \
        copy_##name(bytes);                    \
        upc_barrier;                           \
    }

MOVE(broadcast, upc_all_broadcast(dst, src, bytes, flags))
MOVE(scatter, upc_all_scatter(dst, src, bytes, flags))
MOVE(gather, upc_all_gather(dst, src, bytes, flags))
MOVE(gather_all, upc_all_gather_all(dst, src, bytes, flags))
MOVE(exchange, upc_all_exchange(dst, src, bytes, flags))
MOVE(permute, upc_all_permute(dst, src, next, bytes, flags))
OPERATION(reduce, upc_all_reduceD(dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, flags))
OPERATION(prefix_reduce,
          upc_all_prefix_reduceD(dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, flags))

OPERATION(reduce_all,
          bupc_all_reduce_allD(dst, src, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, flags))
OPERATION(vector_reduce, upcx_team_reduce(UPCX_TEAM_ALL, dst, src, bytes / 8, UPC_DOUBLE, UPC_ADD,
                                          flags))
OPERATION(vector_reduce_all, upcx_team_reduce_all(UPCX_TEAM_ALL, dst, src, bytes / 8, UPC_DOUBLE,
                                                  UPC_ADD, flags))

static void barrier(size_t bytes)
{
    (void)bytes;
    upc_barrier;
}

// The least that barriers around copies cost.
static void two_barriers(size_t bytes)
{
    barrier(bytes);
    barrier(bytes);
}

static void value_reduce_all(size_t bytes)
{
    double value = (double)bytes + MYTHREAD;
    collectives_value = bupc_allv_reduce_all(double, value, UPC_MAX);
}

// The floor of broadcasts of small data: one thread writes a line with some bytes and a flag, the
// others wait for it, and answer, by one line each.
struct line {
    _Atomic long flag;
    char bytes[56];
};
enum { MOST_THREADS = 1024 };
static shared [] struct line lines[MOST_THREADS];

static void mailbox(size_t bytes)
{
    (void)bytes;
    struct line *box = (struct line *)lines;
    if (MYTHREAD != 0) {
        long turn = atomic_load_explicit(&box[MYTHREAD].flag, memory_order_relaxed) + 1;
        while (atomic_load_explicit(&box[0].flag, memory_order_acquire) < turn)
            __builtin_ia32_pause();
        atomic_store_explicit(&box[MYTHREAD].flag, turn, memory_order_release);
        return;
    }
    long turn = atomic_load_explicit(&box[0].flag, memory_order_relaxed) + 1;
    atomic_store_explicit(&box[0].flag, turn, memory_order_release);
    for (int t = 1; t < THREADS; t++)
        while (atomic_load_explicit(&box[t].flag, memory_order_acquire) < turn)
            __builtin_ia32_pause();
}

// What one thread needs to copy the bytes, by itself.
static void copy(size_t bytes)
{
    memcpy(mine(dst), mine(src), bytes);
    __asm__ volatile("" ::: "memory");
}

#define WAYS(name)                               \
    {#name, "allsync", name##_allsync},          \
    {#name, "mysync", name##_mysync},            \
    {#name, "nosync", name##_nosync, .on_request = 1}
#define WAYS_TO_MOVE(name) WAYS(name), {#name, "barriers", name##_barriers}
static const struct way ways[] = {
    WAYS_TO_MOVE(broadcast), WAYS_TO_MOVE(scatter), WAYS_TO_MOVE(gather),
    WAYS_TO_MOVE(gather_all), WAYS_TO_MOVE(exchange), WAYS_TO_MOVE(permute),
    WAYS(reduce), WAYS(reduce_all), WAYS(prefix_reduce),
    WAYS(vector_reduce), WAYS(vector_reduce_all),
    {"allv-reduce-all", "", value_reduce_all}, {"barrier", "", barrier},
    {"two-barriers", "", two_barriers}, {"mailbox", "", mailbox}, {"copy", "", copy},
};

static void meet(void)
{
    upc_barrier;
}

static void largest(double *values, int n)
{
    memcpy((double *)&slots[MOST_TRIALS * MYTHREAD], values, n * sizeof *values);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < n; i++) {
            double other = slots[MOST_TRIALS * t + i];
            values[i] = other > values[i] ? other : values[i];
        }
    upc_barrier;
}

// Nobody leaves a barrier before the last thread has come; of the mailbox that is thread 0 alone.
static void check_barriers(void)
{
    static shared long episode[THREADS];
    int is_one_host = bupc_allv_reduce_all(int, bupc_castable(lines), UPC_MIN);
    for (long i = 1; i <= 100; i++) {
        episode[MYTHREAD] = i;
        upc_fence;
        if (i % 2 || !is_one_host)
            barrier(0);
        else
            mailbox(0);
        for (int t = 0; t < THREADS && (i % 2 || !is_one_host || MYTHREAD == 0); t++)
            bench_check(episode[t] >= i, "barrier %ld: thread %d is at %ld", i, t, episode[t]);
        upc_barrier;
    }
}

int main(int argc, char **argv)
{
    size_t row = collectives_row(THREADS);
    src = upc_all_alloc(THREADS, row);
    dst = upc_all_alloc(THREADS, row);
    next[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    memset(mine(src), 0, row);
    memset(mine(dst), 0, row);
    upc_barrier;
    struct crew crew = {
        MYTHREAD, THREADS, ways, sizeof ways / sizeof *ways, meet,
        (double *)mine(src), (double *)mine(dst), largest};
    check_barriers();
    return collectives_main(&crew, argc, argv);
}
