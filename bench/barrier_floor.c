// SPDX-License-Identifier: BSD-3-Clause
/*
 * The machine's floor for a barrier of two: two pthreads, each on a core of its own, that do
 * nothing else. By flags, each in a cache line of its own: what a barrier can reach. By a counter
 * to which both add: faster here, because the second to arrive adds twice before the line is taken
 * from it, but not in a program that does anything between two barriers.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define ROUNDS 100
#define COUNT 20000

/* A yield after this many looks keeps a busy machine going. */
#define PATIENCE 20000

static struct {
    _Alignas(128) atomic_long value;
} flag[2], counter;

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* Acquire pairs with the release in the two functions below: what was written before a barrier
 * is seen after it. */
static void wait_for(atomic_long *value, long wanted) {
    for (long looks = 1; atomic_load_explicit(value, memory_order_acquire) < wanted; looks++) {
        if (looks % PATIENCE == 0) {
            sched_yield();
        }
    }
}

static void meet_by_flags(int me, long episode) {
    atomic_store_explicit(&flag[me].value, episode, memory_order_release);
    wait_for(&flag[!me].value, episode);
}

static void meet_by_counter(int me, long episode) {
    (void)me;
    if (atomic_fetch_add_explicit(&counter.value, 1, memory_order_acq_rel) + 1 < 2 * episode) {
        wait_for(&counter.value, 2 * episode);
    }
}

/* After each of two meetings in turns: what the other wrote before the first. */
static void check(int me, void (*meet)(int me, long episode)) {
    static long seen[2];
    for (long i = 1; i <= COUNT; i += 2) {
        seen[me] = i;
        meet(me, i);
        bench_check(seen[!me] == i, "barrier-floor: meeting %ld", i);
        meet(me, i + 1);
    }
}

static void measure(int me, struct bench_times *flags, struct bench_times *count) {
    pin(me);
    check(me, meet_by_flags);
    check(me, meet_by_counter);
    for (long round = 1; round <= ROUNDS; round++) {
        double t0 = bench_now();
        for (long i = 1; i <= COUNT; i++) {
            meet_by_flags(me, round * COUNT + i);
        }
        double t1 = bench_now();
        for (long i = 1; i <= COUNT; i++) {
            meet_by_counter(me, round * COUNT + i);
        }
        bench_add(flags, (t1 - t0) / COUNT);
        bench_add(count, (bench_now() - t1) / COUNT);
    }
}

static void *partner(void *unused) {
    struct bench_times flags = {{0}, 0}, count = {{0}, 0};
    (void)unused;
    measure(1, &flags, &count);
    return NULL;
}

int main(void) {
    struct bench_times flags = {{0}, 0}, count = {{0}, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, partner, NULL);
    measure(0, &flags, &count);
    pthread_join(thread, NULL);
    bench_time("barrier-floor-flags", "ns", 1e9, &flags);
    bench_time("barrier-floor-counter", "ns", 1e9, &count);
    return 0;
}
