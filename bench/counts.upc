// SPDX-License-Identifier: BSD-3-Clause
/*
 * Loops of relaxed accesses under `upcrun -report`, compiled with -inst, which counts them by line, and
 * without, which does not: the thread's own elements, its neighbours', another thread's row, whole arrays,
 * and random updates within a cache and beyond. One iteration of thread 0.
 */
#include "bench.h"
#include <stdint.h>
#include <upc_relaxed.h>

#ifdef UNCOUNTED
#define NAME(name) "counts-" name "-off"
#else
#define NAME(name) "counts-" name
#endif

enum { BLOCK = 1024, SIZE = 4096, ROUNDS = 100, LARGE = 1 << 22, UPDATES = 1 << 14 };

shared [BLOCK] double a[SIZE * THREADS], b[SIZE * THREADS], c[SIZE * THREADS];
shared double dealt[SIZE * THREADS];
shared uint64_t table[LARGE * THREADS];

BENCH_KERNEL static void triad(void) {
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &a[i]) {
        a[i] = b[i] + 3.0 * c[i];
    }
}

BENCH_KERNEL static void stencil(void) {
    upc_forall (int i = 1; i < SIZE * THREADS - 1; i++; &a[i]) {
        a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1];
    }
}

BENCH_KERNEL static void row(shared [] double *to, shared [] double *from) {
    for (int i = 0; i < BLOCK; i++) {
        to[i] = from[i] + 1.0;
    }
}

BENCH_KERNEL static double sum_dealt(void) {
    double sum = 0;
    for (int i = 0; i < SIZE * THREADS; i++) {
        sum += dealt[i];
    }
    return sum;
}

BENCH_KERNEL static double sum_blocks(void) {
    double sum = 0;
    for (int i = 0; i < SIZE * THREADS; i++) {
        sum += b[i];
    }
    return sum;
}

BENCH_KERNEL static void update(uint64_t mask) {
    uint64_t random = 0x123456789abcdefu;
    for (int i = 0; i < UPDATES; i++) {
        random = random << 1 ^ ((int64_t)random < 0 ? 7u : 0);
        table[random & mask] ^= random;
    }
}

static void run(int kernel) {
    int next = (MYTHREAD + 1) % THREADS;
    switch (kernel) {
    case 0: triad(); break;
    case 1: stencil(); break;
    case 2: row((shared [] double *)&a[BLOCK * next], (shared [] double *)&b[BLOCK * next]); break;
    case 3: bench_check(sum_dealt() == SIZE * THREADS, "counts-dealt"); break;
    case 4: bench_check(sum_blocks() == SIZE * THREADS, "counts-blocks"); break;
    case 5: update(SIZE - 1); break;
    default: update(LARGE - 1);
    }
}

int main(void) {
    static const char *const names[] = {NAME("own"),    NAME("neighbours"), NAME("row"),
                                        NAME("dealt"),  NAME("blocks"),     NAME("update-cache"),
                                        NAME("update-memory")};
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &b[i]) {
        b[i] = 1;
    }
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &dealt[i]) {
        dealt[i] = 1;
    }
    for (int kernel = 0; kernel < 7; kernel++) {
        struct bench_times times = {{0}, 0};
        upc_barrier;
        for (int round = 0; round < ROUNDS && MYTHREAD == 0; round++) {
            double begin = bench_now();
            run(kernel);
            bench_add(&times, bench_now() - begin);
        }
        if (MYTHREAD == 0) {
            bench_time(names[kernel], "us", 1e6, &times);
        }
    }
    return 0;
}
