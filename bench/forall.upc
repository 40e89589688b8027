// SPDX-License-Identifier: BSD-3-Clause
/*
 * Loops over `shared [BLOCK]` and cyclic arrays inside the matching upc_forall, against the C
 * loop (triad_ref.c) over the memory that the thread holds of each array. All threads measure
 * at once; thread 0 reports itself.
 */
#include "bench.h"
#include <upc_relaxed.h>

#define BLOCK 250
#define BLOCKS 40 /* of each thread */
#define MINE (BLOCK * BLOCKS)
#define N (MINE * THREADS)
#define REPEAT 100
#define ROUNDS 100

shared [BLOCK] double blocked_a[N], blocked_b[N], blocked_c[N];
shared [MINE] double whole_a[N], whole_b[N], whole_c[N];
shared double cyclic_a[N], cyclic_b[N], cyclic_c[N];
shared [BLOCK] double rows[3][N];
shared int shared_n;

typedef void kernel(double s, int n);

/* Loop indices are int here and long there: both are common. */
BENCH_KERNEL static void blocked(double s, int n) {
    int i;
    upc_forall (i = 0; i < n; i++; &blocked_a[i]) {
        blocked_a[i] = blocked_b[i] + s * blocked_c[i];
    }
}

/* The bound is in shared memory, as where one thread has read it from the command line. */
BENCH_KERNEL static void bound(double s, int n) {
    int i;
    (void)n;
    upc_forall (i = 0; i < shared_n; i++; &blocked_a[i]) {
        blocked_a[i] = blocked_b[i] + s * blocked_c[i];
    }
}

/* The affinity is beside the index. */
BENCH_KERNEL static void beside(double s, int n) {
    int i;
    upc_forall (i = 1; i <= n; i++; &blocked_a[i - 1]) {
        blocked_a[i - 1] = blocked_b[i - 1] + s * blocked_c[i - 1];
    }
}

/* A matrix with a block in each row, whose subscripts are computed by hand. */
BENCH_KERNEL static void flat(double s, int n) {
    int i;
    upc_forall (i = 0; i < n / BLOCK; i++; i) {
        for (int j = 0; j < BLOCK; j++) {
            blocked_a[i * BLOCK + j] = blocked_b[i * BLOCK + j] + s * blocked_c[i * BLOCK + j];
        }
    }
}

BENCH_KERNEL static void whole(double s, int n) {
    upc_forall (int i = 0; i < n; i++; &whole_a[i]) {
        whole_a[i] = whole_b[i] + s * whole_c[i];
    }
}

BENCH_KERNEL static void cyclic(double s, int n) {
    int i;
    upc_forall (i = 0; i < n; i++; i) {
        cyclic_a[i] = cyclic_b[i] + s * cyclic_c[i];
    }
}

BENCH_KERNEL static void of_rows(double s, int n) {
    int i;
    upc_forall (i = 0; i < n; i++; &rows[0][i]) {
        rows[0][i] = rows[1][i] + s * rows[2][i];
    }
}

BENCH_KERNEL static void blocked_loop(shared [BLOCK] double *a, shared [BLOCK] double *b,
                                      shared [BLOCK] double *c, double s, long n) {
    long i;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        a[i] = b[i] + s * c[i];
    }
}

static void blocked_pointer(double s, int n) {
    blocked_loop(blocked_a, blocked_b, blocked_c, s, n);
}

/* In two parts, of which one begins inside a block. */
static void parts(double s, int n) {
    blocked_loop(blocked_a, blocked_b, blocked_c, s, 3);
    blocked_loop(blocked_a + 3, blocked_b + 3, blocked_c + 3, s, n - 3);
}

/* By pointers that go along the arrays. */
BENCH_KERNEL static void walk(double s, int n) {
    shared [BLOCK] double *a, *b = blocked_b, *c = blocked_c;
    upc_forall (a = blocked_a; a < blocked_a + n; a++, b++, c++; a) {
        *a = *b + s * *c;
    }
}

BENCH_KERNEL static void rounds(double s, int n) {
    shared double *a, *b = cyclic_b + MYTHREAD, *c = cyclic_c + MYTHREAD;
    for (a = cyclic_a + MYTHREAD; a < cyclic_a + n; a += THREADS, b += THREADS, c += THREADS) {
        *a = *b + s * *c;
    }
}

BENCH_KERNEL static void cyclic_loop(shared double *a, shared double *b, shared double *c, double s,
                                     long n) {
    long i;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        a[i] = b[i] + s * c[i];
    }
}

static void cyclic_pointer(double s, int n) {
    cyclic_loop(cyclic_a, cyclic_b, cyclic_c, s, n);
}

void triad_ref(double *a, double *b, double *c, double s, long n);

/* Measures a kernel; a, b and c are this thread's parts, whose elements lie side by side. */
static void measure(const char *name, kernel *run, double *a, double *b, double *c) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    for (long i = 0; i < MINE; i++) {
        a[i] = 0;
        b[i] = (double)(i % 64);
        c[i] = (double)(i % 48);
    }
    upc_barrier;
    run(3.0, N);
    for (long i = 0; i < MINE; i++) {
        bench_check(a[i] == b[i] + 3.0 * c[i], "%s: element %ld is %g", name, i, a[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        upc_barrier;
        double t0 = bench_now();
        for (int r = 0; r < REPEAT; r++) {
            run(3.0, N);
        }
        double t1 = bench_now();
        upc_barrier;
        double t2 = bench_now();
        for (int r = 0; r < REPEAT; r++) {
            triad_ref(a, b, c, 3.0, MINE);
        }
        double t3 = bench_now();
        bench_add(&times, (t1 - t0) / REPEAT);
        bench_add(&ref, (t3 - t2) / REPEAT);
    }
    if (MYTHREAD == 0) {
        bench_rate(name, "GB/s", 24e-9 * MINE, &times, &ref);
    }
    upc_barrier;
}

int main(void) {
    int block = BLOCK * MYTHREAD, all = MINE * MYTHREAD;
    double *a = (double *)&blocked_a[block], *b = (double *)&blocked_b[block];
    double *c = (double *)&blocked_c[block];
    if (MYTHREAD == 0) {
        shared_n = N;
    }
    upc_barrier;
    measure("forall-blocked", blocked, a, b, c);
    measure("forall-bound", bound, a, b, c);
    measure("forall-beside", beside, a, b, c);
    measure("forall-flat", flat, a, b, c);
    measure("forall-blocked-pointer", blocked_pointer, a, b, c);
    measure("forall-parts", parts, a, b, c);
    measure("forall-walk", walk, a, b, c);
    measure("forall-one-block", whole, (double *)&whole_a[all], (double *)&whole_b[all],
            (double *)&whole_c[all]);
    a = (double *)&cyclic_a[MYTHREAD];
    b = (double *)&cyclic_b[MYTHREAD];
    c = (double *)&cyclic_c[MYTHREAD];
    measure("forall-cyclic", cyclic, a, b, c);
    measure("forall-cyclic-pointer", cyclic_pointer, a, b, c);
    measure("forall-rounds", rounds, a, b, c);
    measure("forall-rows", of_rows, (double *)&rows[0][block], (double *)&rows[1][block],
            (double *)&rows[2][block]);
    return 0;
}
