// SPDX-License-Identifier: BSD-3-Clause
/* Loops over another thread's memory: thread 0 sums 10,000 doubles of the last thread's. */
#include "bench.h"
#include <upc_relaxed.h>

enum { N = 10000 };

static shared [] double *shared remote;

BENCH_KERNEL static double sum(shared [] double *p, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}

int main(void) {
    struct bench_times times = {{0}, 0};
    if (MYTHREAD == THREADS - 1) {
        remote = upc_alloc(N * sizeof(double));
        for (int i = 0; i < N; i++) {
            remote[i] = 1;
        }
    }
    upc_barrier;
    for (int round = 0; MYTHREAD == 0 && round < 10; round++) {
        double t0 = bench_now();
        if (sum(remote, N) != N) {
            upc_global_exit(1);
        }
        bench_add(&times, bench_now() - t0);
    }
    if (MYTHREAD == 0) {
        bench_time("remote-sum", "us", 1e6, &times);
    }
    upc_barrier;
    return 0;
}
