// SPDX-License-Identifier: BSD-3-Clause
/*
 * Loops over another thread's memory, against one call that transfers as much: thread 0 sums what
 * the last thread has, stores there, and changes it.
 */
#include "bench.h"
#include <upc_relaxed.h>

enum { N = 10000, ROUNDS = 20 };

static shared [] double *shared remote;

typedef double kernel(shared [] double *p, long n);

BENCH_KERNEL static double sum(shared [] double *p, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}

BENCH_KERNEL static double store(shared [] double *p, long n) {
    for (long i = 0; i < n; i++) {
        p[i] = 1 + 0 * i;
    }
    return N;
}

BENCH_KERNEL static double change(shared [] double *p, long n) {
    for (long i = 0; i < n; i++) {
        p[i] += 0;
    }
    return N;
}

static double copy[N];

static double get(shared [] double *p, long n) {
    upc_memget(copy, p, (size_t)n * sizeof *copy);
    return N;
}

static double put(shared [] double *p, long n) {
    upc_memput(p, copy, (size_t)n * sizeof *copy);
    return N;
}

static double get_and_put(shared [] double *p, long n) {
    get(p, n);
    return put(p, n);
}

static void run(kernel *what, shared [] double *p, struct bench_times *times) {
    double t0 = bench_now();
    if (what(p, N) != N) {
        upc_global_exit(1);
    }
    upc_fence;
    bench_add(times, bench_now() - t0);
}

static void measure(const char *name, kernel *loop, kernel *call) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    shared [] double *p = remote;
    get(p, N);
    for (int round = 0; round < ROUNDS; round++) {
        run(loop, p, &times);
        run(call, p, &ref);
    }
    bench_time_against(name, "us", 1e6, &times, &ref);
}

int main(void) {
    if (MYTHREAD == THREADS - 1) {
        remote = upc_alloc(N * sizeof(double));
        for (int i = 0; i < N; i++) {
            remote[i] = 1;
        }
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        measure("remote-sum", sum, get);
        measure("remote-store", store, put);
        measure("remote-change", change, get_and_put);
    }
    upc_barrier;
    return 0;
}
