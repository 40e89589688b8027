// SPDX-License-Identifier: BSD-3-Clause
/*
 * OpenSHMEM between two PEs of a host: put and get of 8 bytes, an atomic addition, and a barrier.
 * Plain OpenSHMEM, for our library and for Open MPI's.
 */
#include "bench.h"

#include <shmem.h>

enum { ROUNDS = 100, TIMES = 20000, SLOW_TIMES = 1000 };

static long here, *heap;

static void put(void) {
    shmem_long_put(heap, &here, 1, 1);
    __asm__ volatile("" ::: "memory");
}

static void get(void) {
    here = shmem_long_g(heap, 1);
    __asm__ volatile("" ::: "memory");
}

static void add(void) {
    here += shmem_long_atomic_fetch_add(heap, 1, 1);
}

static const struct {
    const char *name, *unit;
    double scale;
    void (*run)(void);
    long times;
    int both;
} measured[] = {
    {"oshmem-put-8", "ns", 1e9, put, TIMES, 0},
    {"oshmem-get-8", "ns", 1e9, get, TIMES, 0},
    {"oshmem-add-8", "ns", 1e9, add, SLOW_TIMES, 0},
    {"oshmem-barrier", "us", 1e6, shmem_barrier_all, SLOW_TIMES, 1},
};
enum { N = sizeof measured / sizeof *measured };

static void measure(void (*run)(void), long times, int both, struct bench_times *to) {
    shmem_barrier_all();
    if (shmem_my_pe() == 0 || both) {
        double begin = bench_now();
        for (long i = 0; i < times; i++) {
            run();
        }
        shmem_quiet();
        bench_add(to, (bench_now() - begin) / (double)times);
    }
    shmem_barrier_all();
}

static void check(void) {
    here = 41;
    put();
    shmem_quiet();
    here = 0;
    get();
    bench_check(here == 41, "oshmem-get-8: %ld", here);
    add();
    bench_check(here == 82 && shmem_long_g(heap, 1) == 42, "oshmem-add-8: %ld", here);
}

int main(void) {
    static struct bench_times times[N];
    shmem_init();
    heap = shmem_malloc(8 * sizeof *heap);
    if (shmem_my_pe() == 0) {
        check();
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            measure(measured[i].run, measured[i].times, measured[i].both, &times[i]);
        }
    }
    for (int i = 0; i < N && shmem_my_pe() == 0; i++) {
        bench_time(measured[i].name, measured[i].unit, measured[i].scale, &times[i]);
    }
    /* In place of shmem_finalize, in which processes of Open MPI 4.1 crash. */
    fflush(stdout);
    shmem_barrier_all();
    shmem_global_exit(0);
    return 0;
}
