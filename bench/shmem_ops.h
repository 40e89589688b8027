/* SPDX-License-Identifier: BSD-3-Clause */
/* What shmem.c and oshmem.c measure of OpenSHMEM between two PEs of a host, and how. */
#ifndef BENCH_SHMEM_OPS_H
#define BENCH_SHMEM_OPS_H

#include "bench.h"

#include <shmem.h>

enum { ROUNDS = 100, TIMES = 20000, SLOW_TIMES = 1000 };

static long here, *heap;

static void put(void) {
    long *to = heap;
    int pe = 1;
    BENCH_FORGET(to);
    BENCH_FORGET(pe);
    shmem_long_put(to, &here, 1, pe);
}

static void get(void) {
    const long *from = heap;
    int pe = 1;
    BENCH_FORGET(from);
    BENCH_FORGET(pe);
    here = shmem_long_g(from, pe);
}

static void add(void) {
    here += shmem_long_atomic_fetch_add(heap, 1, 1);
}

BENCH_REPEATED(put)
BENCH_REPEATED(get)
BENCH_REPEATED(add)
BENCH_REPEATED(shmem_barrier_all)

/* By PE 0 alone, or by both. What has been put has arrived before the time is taken. */
static void measure(void (*run)(long times), long times, int both, struct bench_times *to) {
    shmem_barrier_all();
    if (shmem_my_pe() == 0 || both) {
        double begin = bench_now();
        run(times);
        shmem_quiet();
        bench_add(to, (bench_now() - begin) / (double)times);
    }
    shmem_barrier_all();
}

static void check_shmem(void) {
    here = 41;
    put();
    shmem_quiet();
    here = 0;
    get();
    bench_check(here == 41, "shmem-get-8: %ld", here);
    add();
    bench_check(here == 82 && shmem_long_g(heap, 1) == 42, "shmem-add-8: %ld", here);
}

#endif
