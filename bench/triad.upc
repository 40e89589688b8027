// SPDX-License-Identifier: BSD-3-Clause
/*
 * STREAM triad through `shared []` pointers, against the same loop in C on `double *` (in
 * triad_ref.c) over malloc's memory, and over the very same memory through a cast.
 */
#include "bench.h"
#include <upc_relaxed.h>

void triad_ref(double *a, double *b, double *c, double s, long n);
double *triad_ref_alloc(long n);

BENCH_KERNEL static void triad(shared [] double *a, shared [] double *b,
                               shared [] double *c, double s, long n) {
    for (long i = 0; i < n; i++) {
        a[i] = b[i] + s * c[i];
    }
}

static shared [] double *filled(long n) {
    shared [] double *p = upc_alloc((size_t)n * sizeof(double));
    for (long i = 0; i < n; i++) {
        p[i] = (double)(i % 64);
    }
    return p;
}

static void measure(const char *where, long n, long repeat, int rounds) {
    static char own[64], same[64];
    struct bench_times times = {{0}, 0}, ref = {{0}, 0}, cast = {{0}, 0};
    shared [] double *a = filled(n), *b = filled(n), *c = filled(n);
    double *x = triad_ref_alloc(n), *y = triad_ref_alloc(n), *z = triad_ref_alloc(n);
    triad(a, b, c, 3.0, n);
    for (long i = 0; i < n; i++) {
        bench_check(a[i] == (double)(i % 64) + 3.0 * (double)(i % 64), "triad-%s: element %ld is %g",
                    where, i, a[i]);
    }
    for (int round = 0; round < rounds; round++) {
        double t0 = bench_now();
        for (long r = 0; r < repeat; r++) {
            triad(a, b, c, 3.0, n);
        }
        double t1 = bench_now();
        for (long r = 0; r < repeat; r++) {
            triad_ref(x, y, z, 3.0, n);
        }
        double t2 = bench_now();
        for (long r = 0; r < repeat; r++) {
            triad_ref((double *)a, (double *)b, (double *)c, 3.0, n);
        }
        double t3 = bench_now();
        bench_add(&times, (t1 - t0) / (double)repeat);
        bench_add(&ref, (t2 - t1) / (double)repeat);
        bench_add(&cast, (t3 - t2) / (double)repeat);
    }
    snprintf(own, sizeof own, "triad-%s", where);
    snprintf(same, sizeof same, "triad-%s-same-memory", where);
    bench_rate(own, "GB/s", 24e-9 * (double)n, &times, &ref);
    bench_rate(same, "GB/s", 24e-9 * (double)n, &times, &cast);
    upc_free(a);
    upc_free(b);
    upc_free(c);
    free(x);
    free(y);
    free(z);
}

int main(void) {
    if (MYTHREAD == 0) {
        measure("cache", 1200, 2000, 150);
        measure("memory", 4000000, 1, 40);
    }
    return 0;
}
