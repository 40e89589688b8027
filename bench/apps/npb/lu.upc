/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU in UPC. A thread's rows are shared memory of its own, with ghosts of its neighbours' rows, which
 * these write. Threads wait for their neighbours only. The codings differ in how shared memory is
 * accessed, and in how a row gets to a neighbour's ghost:
 *   FINE  as shared, number by number; a signal follows
 *   CAST  by pointers to private; rows as in FINE
 *   BULK  by pointers to private; rows are put, those of sweeps with their signal
 */
#include <upc_relaxed.h>
#include <bupc_extensions.h>
#include <upc_nb.h>
#include <upcx_pairwise.h>

#include "lu.h"

typedef shared [] double *far_rows;

static shared far_rows solutions[THREADS], rights[THREADS];
/* Planes that have come from the neighbours, at small and at large y (BULK). */
static bupc_sem_t *shared arrived[THREADS][2];
static shared double values[THREADS][10];

/* The neighbours, at small and at large y. */
static struct neighbour {
    int thread;          /* -1: there is none */
    struct lu share;     /* of which the sizes are known */
    far_rows u, r;
    bupc_sem_t *arrived; /* what it awaits of this thread */
} neighbours[2];
static bupc_sem_t *awaited[2];
static int beside[2];
static size_t n_beside;

/* n numbers to a neighbour. */
static void send(far_rows to, const LU_REAL *from, long n) {
#if CODING == BULK
    upc_memput_nbi(to, from, (size_t)n * sizeof(double));
#else
    for (long i = 0; i < n; i++) {
        to[i] = from[i];
    }
#endif
}

static void lu_meet(const struct lu *l) {
    (void)l;
    upcx_sync(beside, n_beside);
}

/* Rows that a neighbour sees: from which own row on, and as which of its rows. */
static long first_row(const struct lu *l, int side, long rows) { return side ? l->rows - rows : 0; }
static long as_row(int side, long rows) { return side ? -rows : neighbours[side].share.rows; }

static void lu_exchange(const struct lu *l) {
    for (int side = 0; side < 2; side++) {
        const struct neighbour *to = &neighbours[side];
        for (long k = 0; to->thread >= 0 && k < LU_N; k++) {
            send(to->u + lu_at(&to->share, k, as_row(side, LU_GHOSTS)),
                 l->u + lu_at(l, k, first_row(l, side, LU_GHOSTS)), LU_GHOSTS * LU_ROW);
        }
    }
#if CODING == BULK
    upc_synci();
#endif
    lu_meet(l);
}

static void lu_await(const struct lu *l, long k, int from) {
    const int side = from > 0;
    (void)l, (void)k;
    if (neighbours[side].thread >= 0) {
#if CODING == BULK
        bupc_sem_wait(awaited[side]);
#else
        upcx_wait(neighbours[side].thread);
#endif
    }
}

static void lu_pass(const struct lu *l, long k, int from) {
    const int side = from < 0;
    const struct neighbour *to = &neighbours[side];
    if (to->thread < 0) {
        return;
    }
    far_rows ghost = to->r + lu_at(&to->share, k, as_row(side, 1));
    const LU_REAL *row = l->r + lu_at(l, k, first_row(l, side, 1));
#if CODING == BULK
    bupc_memput_signal(ghost, row, LU_ROW * sizeof(double), to->arrived, 1);
#else
    send(ghost, row, LU_ROW);
    upcx_signal(to->thread);
#endif
}

static void lu_sum(double *sums, int n) {
    for (int i = 0; i < n; i++) {
        values[MYTHREAD][i] = sums[i];
    }
    upc_barrier;
    for (int i = 0; i < n; i++) {
        sums[i] = 0;
        for (int t = 0; t < THREADS; t++) {
            sums[i] += values[t][i];
        }
    }
    upc_barrier;
}

static void find_neighbours(void) {
    for (int side = 0; side < 2; side++) {
        int t = side ? MYTHREAD + 1 : MYTHREAD - 1;
        struct neighbour *found = &neighbours[side];
        found->thread = t < THREADS ? t : -1;
        awaited[side] = arrived[MYTHREAD][side];
        if (found->thread >= 0) {
            lu_setup(&found->share, THREADS, t);
            found->u = solutions[t];
            found->r = rights[t];
            found->arrived = arrived[t][!side];
            beside[n_beside++] = t;
        }
    }
}

static void allocate(struct lu *l) {
    const size_t bytes = (size_t)(LU_N * l->plane) * sizeof(double);
    solutions[MYTHREAD] = upc_alloc(bytes);
    rights[MYTHREAD] = upc_alloc(bytes);
    for (int side = 0; side < 2; side++) {
        arrived[MYTHREAD][side] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    }
    if (!lu_allocate(l)) {
        fprintf(stderr, "npb: no memory for %zu bytes\n", bytes);
        upc_global_exit(1);
    }
    l->u = (LU_REAL *)solutions[MYTHREAD];
    l->r = (LU_REAL *)rights[MYTHREAD];
    upc_barrier;
    find_neighbours();
}

static void release(struct lu *l) {
    upc_barrier;
    for (int side = 0; side < 2; side++) {
        bupc_sem_free(awaited[side]);
    }
    upc_free(solutions[MYTHREAD]);
    upc_free(rights[MYTHREAD]);
    lu_free(l);
}

int main(void) {
    struct lu l;
    double result[11] = {0};
    if (!lu_setup(&l, THREADS, MYTHREAD)) {
        return MYTHREAD == 0 ? lu_refuse(THREADS) : 2;
    }
    allocate(&l);
    double seconds = lu_run(&l, result);
    release(&l);
    return MYTHREAD == 0 ? lu_finish(result, seconds) : 0;
}
