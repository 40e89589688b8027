// SPDX-License-Identifier: BSD-3-Clause
/*
 * The machine's floor for a barrier of two: two pthreads, each on a core of its own, exchange
 * flags in two cache lines and do nothing else.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define ROUNDS 15
#define COUNT 500000

static struct {
    _Alignas(128) atomic_long flag;
} side[2];

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* Release and acquire: what was written before the barrier is seen after it. */
static void meet(int me, long episode) {
    atomic_store_explicit(&side[me].flag, episode, memory_order_release);
    while (atomic_load_explicit(&side[!me].flag, memory_order_acquire) < episode) {
        /* No pause instruction: it alone costs more than the way between two cores. */
    }
}

static void *partner(void *unused) {
    (void)unused;
    pin(1);
    for (long i = 1; i <= (long)ROUNDS * COUNT; i++) {
        meet(1, i);
    }
    return NULL;
}

int main(void) {
    struct bench_times times = {{0}, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, partner, NULL);
    pin(0);
    for (long round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        for (long i = 1; i <= COUNT; i++) {
            meet(0, round * COUNT + i);
        }
        bench_add(&times, (bench_now() - begin) / COUNT);
    }
    pthread_join(thread, NULL);
    bench_time("barrier-floor", "ns", 1e9, &times);
    return 0;
}
