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
#define REPEAT 300
#define ROUNDS 30
#define SCALAR 3.0

shared [BLOCK] double blocked[3][MINE * THREADS];
shared double cyclic[3][MINE * THREADS];
shared [MINE] double one_block[3][MINE * THREADS];

void triad_ref(double *a, double *b, double *c, double s, long n);

__attribute__((noinline)) static void blocked_static(double s) {
    long i;
    upc_forall (i = 0; i < (long)MINE * THREADS; i++; &blocked[0][i]) {
        blocked[0][i] = blocked[1][i] + s * blocked[2][i];
    }
}

__attribute__((noinline)) static void blocked_pointer(shared [BLOCK] double *a,
                                                      shared [BLOCK] double *b,
                                                      shared [BLOCK] double *c, double s, long n) {
    long i;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        a[i] = b[i] + s * c[i];
    }
}

__attribute__((noinline)) static void one_block_static(double s) {
    long i;
    upc_forall (i = 0; i < (long)MINE * THREADS; i++; &one_block[0][i]) {
        one_block[0][i] = one_block[1][i] + s * one_block[2][i];
    }
}

__attribute__((noinline)) static void cyclic_static(double s) {
    long i;
    upc_forall (i = 0; i < (long)MINE * THREADS; i++; i) {
        cyclic[0][i] = cyclic[1][i] + s * cyclic[2][i];
    }
}

__attribute__((noinline)) static void cyclic_pointer(shared double *a, shared double *b,
                                                     shared double *c, double s, long n) {
    long i;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        a[i] = b[i] + s * c[i];
    }
}

enum form { BLOCKED, BLOCKED_POINTER, ONE_BLOCK, CYCLIC, CYCLIC_POINTER, FORMS };
static const char *const form_name[FORMS] = {"forall-blocked", "forall-blocked-pointer",
                                             "forall-one-block", "forall-cyclic",
                                             "forall-cyclic-pointer"};

static void run(enum form form) {
    long n = (long)MINE * THREADS;
    switch (form) {
    case BLOCKED: blocked_static(SCALAR); break;
    case BLOCKED_POINTER:
        blocked_pointer(blocked[0], blocked[1], blocked[2], SCALAR, n);
        break;
    case ONE_BLOCK: one_block_static(SCALAR); break;
    case CYCLIC: cyclic_static(SCALAR); break;
    default: cyclic_pointer(cyclic[0], cyclic[1], cyclic[2], SCALAR, n); break;
    }
}

/* This thread's part of array `which` of a form: the addresses of its elements ascend without
 * gaps. */
static double *mine(enum form form, int which) {
    switch (form) {
    case BLOCKED:
    case BLOCKED_POINTER: return (double *)&blocked[which][BLOCK * MYTHREAD];
    case ONE_BLOCK: return (double *)&one_block[which][MINE * MYTHREAD];
    default: return (double *)&cyclic[which][MYTHREAD];
    }
}

static void measure(enum form form) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        upc_barrier;
        double t0 = bench_now();
        for (int r = 0; r < REPEAT; r++) {
            run(form);
        }
        double t1 = bench_now();
        upc_barrier;
        double t2 = bench_now();
        for (int r = 0; r < REPEAT; r++) {
            triad_ref(mine(form, 0), mine(form, 1), mine(form, 2), SCALAR, MINE);
        }
        double t3 = bench_now();
        bench_add(&times, (t1 - t0) / REPEAT);
        bench_add(&ref, (t3 - t2) / REPEAT);
    }
    if (MYTHREAD == 0) {
        bench_rate(form_name[form], "GB/s", 24e-9 * MINE, &times, &ref);
    }
    upc_barrier;
}

int main(void) {
    for (int form = 0; form < FORMS; form++) {
        for (int which = 0; which < 3; which++) {
            for (long i = 0; i < MINE; i++) {
                mine((enum form)form, which)[i] = 1.0;
            }
        }
        measure((enum form)form);
    }
    return 0;
}
