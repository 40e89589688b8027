/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU, SP and BT in UPC. A thread's rows are shared memory of its own, with ghosts of its neighbours'
 * rows, which these write. Threads wait for their neighbours only. The codings differ in how shared
 * memory is accessed, and in how a row gets to a neighbour's ghost:
 *   FINE  as shared, number by number; a signal follows
 *   CAST  by pointers to private; rows as in FINE
 *   BULK  by pointers to private; rows are put, the last one of a plane's or of all planes with a signal
 */
#ifndef CFD_UPC_H
#define CFD_UPC_H

#include <upc_relaxed.h>
#include <bupc_extensions.h>
#include <upc_nb.h>
#include <upcx_pairwise.h>

#include "cfd.h"

typedef shared [] double *far_rows;

static shared far_rows solutions[THREADS], rights[THREADS], fronts[THREADS];
/* Planes that have come from the neighbours, at small and at large y (BULK). */
static bupc_sem_t *shared arrived[THREADS][2];
static shared double values[THREADS][CFD_NORMS];

/* The neighbours, at small and at large y. */
static struct neighbour {
    int thread;          /* -1: there is none */
    struct cfd share;    /* of which the sizes are known */
    far_rows u, r, front;
    bupc_sem_t *arrived; /* what it awaits of this thread */
} neighbours[2];
static bupc_sem_t *awaited[2];
static int beside[2];
static size_t n_beside;

/* Numbers of r to a neighbour, and the signal that it awaits. */
static void pass(const struct neighbour *to, far_rows ghosts, const CFD_REAL *from, long n) {
#if CODING == BULK
    bupc_memput_signal(ghosts, from, (size_t)n * sizeof(double), to->arrived, 1);
#else
    for (long i = 0; i < n; i++) {
        ghosts[i] = from[i];
    }
    upcx_signal(to->thread);
#endif
}

/* The same of what is this thread's private memory. */
static void pass_private(const struct neighbour *to, far_rows ghosts, const double *from, long n) {
#if CODING == BULK
    bupc_memput_signal(ghosts, from, (size_t)n * sizeof(double), to->arrived, 1);
#else
    for (long i = 0; i < n; i++) {
        ghosts[i] = from[i];
    }
    upcx_signal(to->thread);
#endif
}

static void await(int side) {
    if (neighbours[side].thread >= 0) {
#if CODING == BULK
        bupc_sem_wait(awaited[side]);
#else
        upcx_wait(neighbours[side].thread);
#endif
    }
}

static void cfd_join(void) {}

static void cfd_meet(const struct cfd *c) {
    (void)c;
    upcx_sync(beside, n_beside);
}

/* Rows that a neighbour sees: from which own row on, and as which of its rows. */
static long first_row(const struct cfd *c, int side, long rows) { return side ? c->rows - rows : 0; }
static long as_row(int side, long rows) { return side ? -rows : neighbours[side].share.rows; }

static void cfd_exchange(const struct cfd *c) {
    for (int side = 0; side < 2; side++) {
        const struct neighbour *to = &neighbours[side];
        for (long k = 0; to->thread >= 0 && k < CFD_N; k++) {
            far_rows ghosts = to->u + cfd_at(&to->share, k, as_row(side, CFD_GHOSTS));
            const CFD_REAL *rows = c->u + cfd_at(c, k, first_row(c, side, CFD_GHOSTS));
#if CODING == BULK
            if (k == CFD_N - 1) {
                pass(to, ghosts, rows, CFD_GHOSTS * CFD_ROW);
            } else {
                upc_memput_nbi(ghosts, rows, CFD_GHOSTS * CFD_ROW * sizeof(double));
            }
#else
            for (long i = 0; i < CFD_GHOSTS * CFD_ROW; i++) {
                ghosts[i] = rows[i];
            }
#endif
        }
    }
#if CODING == BULK
    await(0);
    await(1);
    upc_synci();
#else
    cfd_meet(c);
#endif
}

static void cfd_await(const struct cfd *c, long k, int from) {
    (void)c, (void)k;
    await(from > 0);
}

static void cfd_pass(const struct cfd *c, long k, int from) {
    const int side = from < 0;
    const struct neighbour *to = &neighbours[side];
    if (to->thread >= 0) {
        pass(to, to->r + cfd_at(&to->share, k, as_row(side, CFD_LAG)),
             c->r + cfd_at(c, k, first_row(c, side, CFD_LAG)), CFD_LAG * CFD_ROW);
    }
}

static inline void cfd_await_front(const struct cfd *c, long k) {
    (void)c, (void)k;
    await(0);
}

static inline void cfd_pass_front(const struct cfd *c, long k, const double *front) {
    const struct neighbour *to = &neighbours[1];
    (void)c;
    if (to->thread >= 0) {
        pass_private(to, to->front + k * CFD_FRONT, front, CFD_FRONT);
    }
}

static void cfd_sum(double *sums, int n) {
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
            cfd_setup(&found->share, THREADS, t);
            found->u = solutions[t];
            found->r = rights[t];
            found->front = fronts[t];
            found->arrived = arrived[t][!side];
            beside[n_beside++] = t;
        }
    }
}

static void allocate(struct cfd *c) {
    const size_t bytes = cfd_bytes(c);
    solutions[MYTHREAD] = upc_alloc(bytes);
    rights[MYTHREAD] = upc_alloc(bytes);
    fronts[MYTHREAD] = upc_alloc(cfd_front_bytes());
    for (int side = 0; side < 2; side++) {
        arrived[MYTHREAD][side] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    }
    if (!cfd_allocate(c)) {
        fprintf(stderr, "npb: no memory for %zu bytes\n", bytes);
        upc_global_exit(1);
    }
    c->u = (CFD_REAL *)solutions[MYTHREAD];
    c->r = (CFD_REAL *)rights[MYTHREAD];
    c->front = (CFD_REAL *)fronts[MYTHREAD];
    upc_barrier;
    find_neighbours();
}

static void release(struct cfd *c) {
    upc_barrier;
    for (int side = 0; side < 2; side++) {
        bupc_sem_free(awaited[side]);
    }
    upc_free(solutions[MYTHREAD]);
    upc_free(rights[MYTHREAD]);
    upc_free(fronts[MYTHREAD]);
    cfd_free(c);
}

/* What main does. */
static int cfd_main(void) {
    struct cfd c;
    double result[CFD_RESULTS] = {0};
    if (!cfd_setup(&c, THREADS, MYTHREAD)) {
        return MYTHREAD == 0 ? cfd_refuse(THREADS) : 2;
    }
    allocate(&c);
    double seconds = cfd_run(&c, result);
    release(&c);
    return MYTHREAD == 0 ? cfd_finish(result, seconds) : 0;
}

#endif
