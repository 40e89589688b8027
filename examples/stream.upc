// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
//@ flags: -lm
//@ args: 20000
/*
 * STREAM: bandwidth of copy, scale, add and triad, measured through three kinds of pointers.
 *
 *   shared    `shared [] double *`, which may point to any thread's memory
 *   local     `double *`, cast from it: allowed because the memory is this thread's own
 *   forall    a blocked shared array, each element updated by the thread that holds it
 *
 * The cast is the classic way to make UPC code fast. With this compiler the first kind should
 * be as fast as the second.
 *
 *     stream [doubles-per-array-and-thread]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define SCALAR 3.0
#define ROUNDS 5
#define BLOCK 1024 /* of the arrays for upc_forall */

enum kernel { COPY, SCALE, ADD, TRIAD, KERNELS };
static const char *const kernel_name[KERNELS] = {"copy", "scale", "add", "triad"};
static const double bytes_moved[KERNELS] = {16, 16, 24, 24};

shared double slowest[KERNELS][THREADS];
shared int wrong[THREADS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_shared(enum kernel k, shared [] double *restrict a, shared [] double *restrict b,
                       shared [] double *restrict c, long n) {
    long i;
    switch (k) {
    case COPY: for (i = 0; i < n; i++) c[i] = a[i]; break;
    case SCALE: for (i = 0; i < n; i++) b[i] = SCALAR * c[i]; break;
    case ADD: for (i = 0; i < n; i++) c[i] = a[i] + b[i]; break;
    default: for (i = 0; i < n; i++) a[i] = b[i] + SCALAR * c[i]; break;
    }
}

static void run_local(enum kernel k, double *restrict a, double *restrict b, double *restrict c,
                      long n) {
    long i;
    switch (k) {
    case COPY: for (i = 0; i < n; i++) c[i] = a[i]; break;
    case SCALE: for (i = 0; i < n; i++) b[i] = SCALAR * c[i]; break;
    case ADD: for (i = 0; i < n; i++) c[i] = a[i] + b[i]; break;
    default: for (i = 0; i < n; i++) a[i] = b[i] + SCALAR * c[i]; break;
    }
}

static void run_forall(enum kernel k, shared [BLOCK] double *a, shared [BLOCK] double *b,
                       shared [BLOCK] double *c, long n) {
    long i;
    switch (k) {
    case COPY: upc_forall (i = 0; i < n; i++; &c[i]) c[i] = a[i]; break;
    case SCALE: upc_forall (i = 0; i < n; i++; &b[i]) b[i] = SCALAR * c[i]; break;
    case ADD: upc_forall (i = 0; i < n; i++; &c[i]) c[i] = a[i] + b[i]; break;
    default: upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + SCALAR * c[i]; break;
    }
}

/* What every element of a, b and c is after ROUNDS rounds that begin at 1, 2 and 0. */
static void expected_values(double expected[3]) {
    double a = 1, b = 2, c = 0;
    for (int round = 0; round < ROUNDS; round++) {
        c = a;
        b = SCALAR * c;
        c = a + b;
        a = b + SCALAR * c;
    }
    expected[0] = a;
    expected[1] = b;
    expected[2] = c;
}

static int differs(double x, double y) {
    return !(fabs(x - y) <= 1e-12 * fabs(y));
}

/* Collective: thread 0 prints how fast the slowest thread was. */
static void report(const char *kind, const double best[KERNELS], long n) {
    int k, t;
    for (k = 0; k < KERNELS; k++) {
        slowest[k][MYTHREAD] = best[k];
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("%-7s", kind);
        for (k = 0; k < KERNELS; k++) {
            double seconds = 0;
            for (t = 0; t < THREADS; t++) {
                seconds = slowest[k][t] > seconds ? slowest[k][t] : seconds;
            }
            printf("  %s %7.2f GB/s", kernel_name[k],
                   1e-9 * bytes_moved[k] * (double)n * THREADS / seconds);
        }
        printf("\n");
    }
    upc_barrier;
}

static void keep_best(double best[KERNELS], int k, double seconds) {
    best[k] = best[k] == 0 || seconds < best[k] ? seconds : best[k];
}

/* My own n elements, through `shared []` pointers or through C pointers. */
static void measure_own(int cast, long n, const double expected[3]) {
    double best[KERNELS] = {0};
    shared [] double *a = upc_alloc((size_t)n * sizeof(double));
    shared [] double *b = upc_alloc((size_t)n * sizeof(double));
    shared [] double *c = upc_alloc((size_t)n * sizeof(double));
    for (long i = 0; i < n; i++) {
        a[i] = 1;
        b[i] = 2;
        c[i] = 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < KERNELS; k++) {
            upc_barrier;
            double begin = now();
            if (cast) {
                run_local((enum kernel)k, (double *)a, (double *)b, (double *)c, n);
            } else {
                run_shared((enum kernel)k, a, b, c, n);
            }
            keep_best(best, k, now() - begin);
        }
    }
    for (long i = 0; i < n; i++) {
        wrong[MYTHREAD] +=
            differs(a[i], expected[0]) || differs(b[i], expected[1]) || differs(c[i], expected[2]);
    }
    report(cast ? "local" : "shared", best, n);
    upc_free(a);
    upc_free(b);
    upc_free(c);
}

/* n elements for each thread, in blocks dealt to the threads in turn. */
static void measure_forall(long n, const double expected[3]) {
    double best[KERNELS] = {0};
    long all = n * THREADS, i;
    size_t blocks = ((size_t)all + BLOCK - 1) / BLOCK;
    shared [BLOCK] double *a = upc_all_alloc(blocks, BLOCK * sizeof(double));
    shared [BLOCK] double *b = upc_all_alloc(blocks, BLOCK * sizeof(double));
    shared [BLOCK] double *c = upc_all_alloc(blocks, BLOCK * sizeof(double));
    upc_forall (i = 0; i < all; i++; &a[i]) {
        a[i] = 1;
        b[i] = 2;
        c[i] = 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < KERNELS; k++) {
            upc_barrier;
            double begin = now();
            run_forall((enum kernel)k, a, b, c, all);
            keep_best(best, k, now() - begin);
        }
    }
    upc_forall (i = 0; i < all; i++; &a[i]) {
        wrong[MYTHREAD] +=
            differs(a[i], expected[0]) || differs(b[i], expected[1]) || differs(c[i], expected[2]);
    }
    report("forall", best, n);
    upc_all_free(a);
    upc_all_free(b);
    upc_all_free(c);
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 2000000;
    double expected[3];
    expected_values(expected);
    measure_own(0, n, expected);
    measure_own(1, n, expected);
    measure_forall(n, expected);
    if (MYTHREAD == 0) {
        int all = 0;
        for (int t = 0; t < THREADS; t++) {
            all += wrong[t];
        }
        if (all) {
            printf("%d elements are wrong\n", all);
            return 1;
        }
        printf("ok\n");
    }
    return 0;
}
