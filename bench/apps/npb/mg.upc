/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG in UPC. A thread's levels are one piece of shared memory of its own. The codings differ in how
 * that is accessed, and in how borders get to neighbours:
 *   FINE  as shared, point by point; borders are read from the neighbours point by point
 *   CAST  by pointers to private; borders as in FINE
 *   BULK  by pointers to private; borders are put, a plane or a row at a time, the last of them with
 *         the signal that the neighbour awaits. Whole levels are gathered by a collective operation
 */
#include <upc_relaxed.h>
#include <bupc_extensions.h>
#include <upc_collective.h>
#include <upc_nb.h>

#include "mg.h"

typedef shared [] double *far_grid;

enum { BELOW, ABOVE };

static shared far_grid grids[THREADS];
static far_grid near[2][2]; /* the grids of neighbours in y and z, BELOW and ABOVE */

/* (BULK) Borders that have come, in a direction and from a side; what this thread awaits, and what its
 * neighbours await of it. */
static bupc_sem_t *shared arrived[THREADS][2][2];
static bupc_sem_t *awaited[2][2], *posted[2][2];

/* Pieces of whole levels: each thread's own, and (BULK) everybody's in a row for each. */
static shared void *pieces;
static shared void *gathered;
static size_t piece_bytes;

static shared double values[THREADS];
static shared struct mg_charges found[THREADS];

static double mg_sum(double value) {
    double sum = 0;
    values[MYTHREAD] = value;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        sum += values[t];
    }
    upc_barrier;
    return sum;
}

static void mg_agree(struct mg_charges *charges) {
    found[MYTHREAD] = *charges;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        struct mg_charges theirs = found[t];
        if (t != MYTHREAD) {
            mg_merge(charges, &theirs);
        }
    }
    upc_barrier;
}

/* The border between neighbours: n points of each of `pieces`, `stride` apart, that are at `first`
 * and at `last` in everybody's level, with borders before and behind. */
static void exchange(const struct mg *m, int direction, long first, long last, long distance,
                     long n_pieces, long stride, long n) {
#if CODING == BULK
    size_t bytes = (size_t)n * sizeof(double);
    for (int side = 0; side < 2; side++) {
        far_grid to = near[direction][side] + (side == ABOVE ? first - distance : last + distance);
        const MG_REAL *from = m->base + (side == ABOVE ? last : first);
        for (long i = 1; i < n_pieces; i++, to += stride, from += stride) {
            upc_memput_nbi(to, from, bytes);
        }
        bupc_memput_signal(to, from, bytes, posted[direction][side], 1);
    }
    bupc_sem_wait(awaited[direction][BELOW]);
    bupc_sem_wait(awaited[direction][ABOVE]);
    upc_synci();
#else
    upc_barrier;
    for (long i = 0; i < n_pieces; i++) {
        MG_REAL *before = m->base + first - distance + i * stride;
        MG_REAL *behind = m->base + last + distance + i * stride;
        far_grid from_below = near[direction][BELOW] + last + i * stride;
        far_grid from_above = near[direction][ABOVE] + first + i * stride;
        for (long x = 0; x < n; x++) {
            before[x] = from_below[x];
            behind[x] = from_above[x];
        }
    }
#endif
}

/* First x, then y with the borders of x, then z with those of both: corners get there as well. One
 * meeting for each is enough, as two meetings lie between two exchanges of one grid. */
static void mg_exchange(const struct mg *m, const struct mg_level *l, long grid) {
    MG_REAL *level = m->base + grid;
    for (long k = 1; k <= l->n[2]; k++) {
        mg_wrap_x(l, level + k * l->plane);
        if (m->parts[0] == 1) {
            mg_wrap_y(l, level + k * l->plane);
        }
    }
    if (m->parts[0] > 1) {
        exchange(m, 0, grid + l->plane + l->row, grid + l->plane + l->n[1] * l->row, l->row, l->n[2],
                 l->plane, l->row);
    }
    if (m->parts[1] > 1) {
        exchange(m, 1, grid + l->plane, grid + l->n[2] * l->plane, l->plane, 1, 0, l->plane);
    } else {
        mg_wrap_z(l, level);
    }
}

/* Copies a thread's piece of a whole level out of it, or (`in`) into it. */
static void copy_piece(const struct mg *m, const struct mg_level *l, long grid, int owner, int in,
                       far_grid piece) {
    long n[2], begin = grid + mg_piece_of(m, l, owner, n);
    for (long k = 0; k < n[1]; k++) {
        for (long j = 0; j < n[0]; j++, piece += l->n[0]) {
            MG_REAL *row = m->base + begin + k * l->plane + j * l->row;
            for (long i = 0; i < l->n[0]; i++) {
                if (in) {
                    row[i] = piece[i];
                } else {
                    piece[i] = row[i];
                }
            }
        }
    }
}

/* Thread t's piece, as shared memory says it: (BULK) this thread's copy of it. */
static far_grid piece_of(int t) {
#if CODING == BULK
    return (far_grid)((shared [] char *)((shared [1] char *)gathered + MYTHREAD) +
                      (size_t)t * piece_bytes);
#else
    return (far_grid)((shared [1] char *)pieces + t);
#endif
}

static void mg_collect(const struct mg *m, const struct mg_level *l, long grid) {
    copy_piece(m, l, grid, MYTHREAD, 0, (far_grid)((shared [1] char *)pieces + MYTHREAD));
#if CODING == BULK
    upc_all_gather_all(gathered, pieces, piece_bytes, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
#else
    upc_barrier;
#endif
    for (int t = 0; t < THREADS; t++) {
        if (t != MYTHREAD) {
            copy_piece(m, l, grid, t, 1, piece_of(t));
        }
    }
}

static void find_neighbours(const struct mg *m) {
    const int step[2] = {1, m->parts[0]};
    for (int d = 0; d < 2; d++) {
        for (int side = 0; side < 2; side++) {
            int n = m->parts[d], here = m->place[d], there = (here + (side == ABOVE ? 1 : n - 1)) % n;
            int thread = MYTHREAD + (there - here) * step[d];
            near[d][side] = grids[thread];
            awaited[d][side] = arrived[MYTHREAD][d][side];
            posted[d][side] = arrived[thread][d][!side];
        }
    }
}

static void allocate_semaphores(void) {
    for (int i = 0; i < 4; i++) {
        arrived[MYTHREAD][i / 2][i % 2] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    }
}

static void free_semaphores(void) {
    for (int i = 0; i < 4; i++) {
        bupc_sem_free(awaited[i / 2][i % 2]);
    }
}

int main(void) {
    struct mg m;
    size_t points = mg_setup(&m, THREADS, MYTHREAD);
    if (points == 0) {
        return MYTHREAD == 0 ? mg_refuse(THREADS) : 2;
    }
    piece_bytes = mg_piece_points(&m) * sizeof(double);
    pieces = upc_all_alloc(THREADS, piece_bytes);
    gathered = upc_all_alloc(THREADS, THREADS * piece_bytes);
    grids[MYTHREAD] = upc_alloc(points * sizeof(double));
    m.base = (MG_REAL *)grids[MYTHREAD];
    allocate_semaphores();
    upc_barrier;
    find_neighbours(&m);
    double seconds, norm = mg_run(&m, &seconds);
    upc_barrier;
    free_semaphores();
    upc_free(grids[MYTHREAD]);
    upc_all_free(pieces);
    upc_all_free(gathered);
    return MYTHREAD == 0 ? mg_finish(norm, seconds) : 0;
}
