/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG of the NAS Parallel Benchmarks: cycles of a multigrid method for Poisson's equation in a
 * periodic cube. The whole algorithm, for all programs that include this: UPC, OpenMP and MPI differ
 * in what stands between their threads, the functions at "The program's part".
 *
 * The cube is cut along y and z, never along x, which lies without gaps in memory. A thread's piece
 * of a level has a border one point wide, for its neighbours' points. Levels that are too small to
 * be cut are `whole`: each thread holds all of one and computes all of it, which costs less than
 * waiting for others.
 */
#ifndef MG_H
#define MG_H

#include "npb.h"

/* A point of a grid. */
#define MG_REAL NPB_OWN double

/* The loop over a piece's planes, which OpenMP divides. */
#ifdef _OPENMP
#define MG_PLANES _Pragma("omp for schedule(static)")
#else
#define MG_PLANES
#endif

#if CLASS == 'S'
enum { MG_SIDE = 32, MG_LEVELS = 5, MG_CYCLES = 4 };
#define MG_OFFICIAL 0.5307707005734e-04
#elif CLASS == 'W'
enum { MG_SIDE = 128, MG_LEVELS = 7, MG_CYCLES = 4 };
#define MG_OFFICIAL 0.6467329375339e-05
#elif CLASS == 'A'
enum { MG_SIDE = 256, MG_LEVELS = 8, MG_CYCLES = 4 };
#define MG_OFFICIAL 0.2433365309069e-05
#else
enum { MG_SIDE = 256, MG_LEVELS = 8, MG_CYCLES = 20 };
#define MG_OFFICIAL 0.1800564401355e-05
#endif

/* Points in a row with its border. */
enum { MG_ROW = MG_SIDE + 2 };

/* Operator and smoother: the weights of the centre, and of neighbours by faces, edges and corners.
 * The operator's of faces and the smoother's of corners are 0. */
static const double mg_a0 = -8.0 / 3, mg_a2 = 1.0 / 6, mg_a3 = 1.0 / 12;
#if CLASS == 'B'
static const double mg_c0 = -3.0 / 17, mg_c1 = 1.0 / 33, mg_c2 = -1.0 / 61;
#else
static const double mg_c0 = -3.0 / 8, mg_c1 = 1.0 / 32, mg_c2 = -1.0 / 64;
#endif

/* A level, as a thread holds it: `n` points in each direction between the borders, and how far
 * neighbours in y and in z are from each other in memory. Point (0, 0, 0) is the border's corner. */
struct mg_level {
    long n[3], row, plane;
    int whole;
};

/* A thread's share. The solution u and the residual r have each level, the right side v the finest:
 * all in one piece of memory, so a neighbour's are as far from its `base` as one's own. */
struct mg {
    MG_REAL *base;
    long u[MG_LEVELS], r[MG_LEVELS], v;
    struct mg_level level[MG_LEVELS];
    int parts[2], place[2]; /* of y and z, and the thread's own: thread = place[1] parts[0] + place[0] */
};

/* The ten largest and the ten smallest random numbers, and at which points they are. */
enum { MG_CHARGES = 10 };
struct mg_charge {
    double value;
    long point;
};
struct mg_charges {
    struct mg_charge high[MG_CHARGES], low[MG_CHARGES]; /* the most extreme one first */
};

/*
 * The program's part. All threads call each together.
 */

/* Fills the border of a level that begins at `grid` of everybody's memory. */
static void mg_exchange(const struct mg *m, const struct mg_level *level, long grid);
/* Each thread has computed its piece of a whole level, and gets the others'. */
static void mg_collect(const struct mg *m, const struct mg_level *level, long grid);
/* The sum over all threads. */
static double mg_sum(double value);
/* Finds the extremes among those of all threads. */
static void mg_agree(struct mg_charges *charges);

/*
 * One plane, the arithmetic of all programs. Pointers are to a plane's begin, its border's corner.
 */

/* r = v - A u */
static inline __attribute__((always_inline)) void mg_residual_rows(const struct mg_level *l,
                                                                   MG_REAL *r, const MG_REAL *u,
                                                                   const MG_REAL *v) {
    const long n = l->n[0], row = l->row, plane = l->plane;
    double faces[MG_ROW], edges[MG_ROW];
    for (long j = 1; j <= l->n[1]; j++) {
        const MG_REAL *here = u + j * row, *right = v + j * row;
        MG_REAL *out = r + j * row;
        for (long i = 0; i < n + 2; i++) {
            faces[i] = here[i - row] + here[i + row] + here[i - plane] + here[i + plane];
            edges[i] = here[i - row - plane] + here[i + row - plane] + here[i - row + plane] +
                       here[i + row + plane];
        }
        for (long i = 1; i <= n; i++) {
            out[i] = right[i] - mg_a0 * here[i] - mg_a2 * (edges[i] + faces[i - 1] + faces[i + 1]) -
                     mg_a3 * (edges[i - 1] + edges[i + 1]);
        }
    }
}

static NPB_KERNEL void mg_residual_of(const struct mg_level *l, MG_REAL *restrict r,
                                      const MG_REAL *restrict u, const MG_REAL *restrict v) {
    mg_residual_rows(l, r, u, v);
}

/* r -= A u: a loop that knows its operands to be one vectorises. */
static NPB_KERNEL void mg_residual_in_place(const struct mg_level *l, MG_REAL *restrict r,
                                            const MG_REAL *restrict u) {
    mg_residual_rows(l, r, u, r);
}

/* u += S r */
static NPB_KERNEL void mg_smooth_plane(const struct mg_level *l, MG_REAL *restrict u,
                                       const MG_REAL *restrict r) {
    const long n = l->n[0], row = l->row, plane = l->plane;
    double faces[MG_ROW], edges[MG_ROW];
    for (long j = 1; j <= l->n[1]; j++) {
        const MG_REAL *here = r + j * row;
        MG_REAL *out = u + j * row;
        for (long i = 0; i < n + 2; i++) {
            faces[i] = here[i - row] + here[i + row] + here[i - plane] + here[i + plane];
            edges[i] = here[i - row - plane] + here[i + row - plane] + here[i - row + plane] +
                       here[i + row + plane];
        }
        for (long i = 1; i <= n; i++) {
            out[i] += mg_c0 * here[i] + mg_c1 * (here[i - 1] + here[i + 1] + faces[i]) +
                      mg_c2 * (edges[i] + faces[i - 1] + faces[i + 1]);
        }
    }
}

/* A coarse plane from the fine one in its middle and the two beside that: weights 1/2 to 1/16. */
static NPB_KERNEL void mg_restrict_plane(const struct mg_level *coarse,
                                         const struct mg_level *fine, MG_REAL *restrict s,
                                         const MG_REAL *restrict r) {
    const long n = fine->n[0], row = fine->row, plane = fine->plane;
    double faces[MG_ROW], edges[MG_ROW];
    for (long j = 1; j <= fine->n[1] / 2; j++) {
        const MG_REAL *here = r + 2 * j * row;
        MG_REAL *out = s + j * coarse->row;
        for (long i = 1; i < n + 2; i++) {
            faces[i] = here[i - row] + here[i + row] + here[i - plane] + here[i + plane];
            edges[i] = here[i - row - plane] + here[i + row - plane] + here[i - row + plane] +
                       here[i + row + plane];
        }
        for (long i = 1; i <= n / 2; i++) {
            out[i] = 0.5 * here[2 * i] +
                     0.25 * (here[2 * i - 1] + here[2 * i + 1] + faces[2 * i]) +
                     0.125 * (faces[2 * i - 1] + faces[2 * i + 1] + edges[2 * i]) +
                     0.0625 * (edges[2 * i - 1] + edges[2 * i + 1]);
        }
    }
}

/* Adds to two rows of the fine level, and the two above them, what lies between coarse rows. */
static inline void mg_between(long n, MG_REAL *restrict out, const double *restrict corner,
                              double weight) {
    for (long i = 0; i <= n; i++) {
        out[2 * i] += 2 * weight * corner[i];
        out[2 * i + 1] += weight * (corner[i] + corner[i + 1]);
    }
}

/* Interpolates between a coarse plane and the next one, and adds that to the two fine planes there,
 * with their borders: these are right if the coarse level's is. */
static NPB_KERNEL void mg_interpolate_plane(const struct mg_level *coarse,
                                            const struct mg_level *fine, MG_REAL *restrict u,
                                            const MG_REAL *restrict z) {
    const long n = fine->n[0] / 2, row = coarse->row, plane = coarse->plane;
    double same[MG_ROW], next[MG_ROW], above[MG_ROW], both[MG_ROW];
    for (long j = 0; j <= fine->n[1] / 2; j++) {
        const MG_REAL *here = z + j * row;
        MG_REAL *out = u + 2 * j * fine->row;
        for (long i = 0; i < n + 2; i++) {
            same[i] = here[i];
            next[i] = here[i] + here[i + row];
            above[i] = here[i] + here[i + plane];
            both[i] = next[i] + here[i + plane] + here[i + plane + row];
        }
        mg_between(n, out, same, 0.5);
        mg_between(n, out + fine->row, next, 0.25);
        mg_between(n, out + fine->plane, above, 0.25);
        mg_between(n, out + fine->plane + fine->row, both, 0.125);
    }
}

static NPB_KERNEL double mg_square_plane(const struct mg_level *l, const MG_REAL *r) {
    double sum = 0;
    for (long j = 1; j <= l->n[1]; j++) {
        for (long i = 1; i <= l->n[0]; i++) {
            sum += r[j * l->row + i] * r[j * l->row + i];
        }
    }
    return sum;
}

/* The border of rows: x is periodic. */
static inline void mg_wrap_x(const struct mg_level *l, MG_REAL *plane) {
    for (long j = 1; j <= l->n[1]; j++) {
        MG_REAL *row = plane + j * l->row;
        row[0] = row[l->n[0]];
        row[l->n[0] + 1] = row[1];
    }
}

/* The same of planes, where y is not cut; and of the level, where z is not. */
static inline void mg_copy(MG_REAL *restrict to, const MG_REAL *restrict from, long n) {
    for (long i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

static inline void mg_wrap_y(const struct mg_level *l, MG_REAL *plane) {
    mg_copy(plane, plane + l->n[1] * l->row, l->row);
    mg_copy(plane + (l->n[1] + 1) * l->row, plane + l->row, l->row);
}

static inline void mg_wrap_z(const struct mg_level *l, MG_REAL *grid) {
    mg_copy(grid, grid + l->n[2] * l->plane, l->plane);
    mg_copy(grid + (l->n[2] + 1) * l->plane, grid + l->plane, l->plane);
}

/* The whole border, of a level that is not cut. */
static inline void mg_wrap(const struct mg_level *l, MG_REAL *grid) {
    MG_PLANES
    for (long k = 1; k <= l->n[2]; k++) {
        mg_wrap_x(l, grid + k * l->plane);
        mg_wrap_y(l, grid + k * l->plane);
    }
#ifdef _OPENMP
#pragma omp single
#endif
    mg_wrap_z(l, grid);
}

/*
 * Levels
 */

static inline void mg_border(const struct mg *m, int k, long grid) {
    if (m->level[k].whole) {
        mg_wrap(&m->level[k], m->base + grid);
    } else {
        mg_exchange(m, &m->level[k], grid);
    }
}

static inline void mg_clear(const struct mg *m, int k, long grid) {
    const struct mg_level *l = &m->level[k];
    MG_PLANES
    for (long z = 0; z < l->n[2] + 2; z++) {
        for (long i = 0; i < l->plane; i++) {
            m->base[grid + z * l->plane + i] = 0;
        }
    }
}

/* The residual of the finest level, of its right side. */
static inline void mg_residual_top(const struct mg *m) {
    const int top = MG_LEVELS - 1;
    const struct mg_level *l = &m->level[top];
    MG_PLANES
    for (long z = 1; z <= l->n[2]; z++) {
        MG_REAL *plane = m->base + z * l->plane;
        mg_residual_of(l, plane + m->r[top], plane + m->u[top], plane + m->v);
    }
    mg_border(m, top, m->r[top]);
}

static inline void mg_residual(const struct mg *m, int k) {
    const struct mg_level *l = &m->level[k];
    MG_PLANES
    for (long z = 1; z <= l->n[2]; z++) {
        MG_REAL *plane = m->base + z * l->plane;
        mg_residual_in_place(l, plane + m->r[k], plane + m->u[k]);
    }
    mg_border(m, k, m->r[k]);
}

static inline void mg_smooth(const struct mg *m, int k) {
    const struct mg_level *l = &m->level[k];
    MG_PLANES
    for (long z = 1; z <= l->n[2]; z++) {
        MG_REAL *plane = m->base + z * l->plane;
        mg_smooth_plane(l, plane + m->u[k], plane + m->r[k]);
    }
    mg_border(m, k, m->u[k]);
}

/* Where in level k - 1 the thread's piece of level k begins. */
static inline long mg_piece(const struct mg *m, int k) {
    const struct mg_level *coarse = &m->level[k - 1], *fine = &m->level[k];
    if (!coarse->whole || fine->whole) {
        return 0;
    }
    return m->place[0] * (fine->n[1] / 2) * coarse->row +
           m->place[1] * (fine->n[2] / 2) * coarse->plane;
}

static inline void mg_restrict(const struct mg *m, int k) {
    const struct mg_level *coarse = &m->level[k - 1], *fine = &m->level[k];
    MG_REAL *to = m->base + m->r[k - 1] + mg_piece(m, k), *from = m->base + m->r[k];
    MG_PLANES
    for (long z = 1; z <= fine->n[2] / 2; z++) {
        mg_restrict_plane(coarse, fine, to + z * coarse->plane, from + 2 * z * fine->plane);
    }
    if (coarse->whole && !fine->whole) {
        mg_collect(m, coarse, m->r[k - 1]);
    }
    mg_border(m, k - 1, m->r[k - 1]);
}

static inline void mg_interpolate(const struct mg *m, int k) {
    const struct mg_level *coarse = &m->level[k - 1], *fine = &m->level[k];
    MG_REAL *to = m->base + m->u[k], *from = m->base + m->u[k - 1] + mg_piece(m, k);
    MG_PLANES
    for (long z = 0; z <= fine->n[2] / 2; z++) {
        mg_interpolate_plane(coarse, fine, to + 2 * z * fine->plane, from + z * coarse->plane);
    }
}

/* Down to the coarsest level and up again, with the residual at first and in the end. */
static inline void mg_cycle(const struct mg *m) {
    const int top = MG_LEVELS - 1;
    for (int k = top; k > 0; k--) {
        mg_restrict(m, k);
    }
    mg_clear(m, 0, m->u[0]);
    mg_smooth(m, 0);
    for (int k = 1; k < top; k++) {
        mg_clear(m, k, m->u[k]);
        mg_interpolate(m, k);
        mg_residual(m, k);
        mg_smooth(m, k);
    }
    mg_interpolate(m, top);
    mg_residual_top(m);
    mg_smooth(m, top);
    mg_residual_top(m);
}

/*
 * The right side: 1 at the points of the ten largest random numbers, -1 at those of the smallest.
 */

/* Keeps a number if it is more extreme than the last one there; `sign` -1 looks for the smallest. */
static inline void mg_keep(struct mg_charge *list, double sign, double value, long point) {
    if (sign * value <= sign * list[MG_CHARGES - 1].value) {
        return;
    }
    int i = MG_CHARGES - 1;
    for (; i > 0 && sign * value > sign * list[i - 1].value; i--) {
        list[i] = list[i - 1];
    }
    list[i] = (struct mg_charge){value, point};
}

static inline struct mg_charges mg_no_charges(void) {
    struct mg_charges none;
    for (int i = 0; i < MG_CHARGES; i++) {
        none.high[i] = (struct mg_charge){-1, -1};
        none.low[i] = (struct mg_charge){2, -1};
    }
    return none;
}

static inline void mg_merge(struct mg_charges *into, const struct mg_charges *from) {
    for (int i = 0; i < MG_CHARGES; i++) {
        mg_keep(into->high, 1, from->high[i].value, from->high[i].point);
        mg_keep(into->low, -1, from->low[i].value, from->low[i].point);
    }
}

/* The number of the first point, of the cube's, in a row of the thread's piece; from 1. */
static inline long mg_point(const struct mg *m, long j, long k) {
    const struct mg_level *l = &m->level[MG_LEVELS - 1];
    long y = m->place[0] * l->n[1] + j - 1, z = m->place[1] * l->n[2] + k - 1;
    return (z * MG_SIDE + y) * MG_SIDE;
}

static inline void mg_place_charges(const struct mg *m, const struct mg_charge *list, double value) {
    const struct mg_level *l = &m->level[MG_LEVELS - 1];
    for (int i = 0; i < MG_CHARGES; i++) {
        long x = list[i].point % MG_SIDE, y = list[i].point / MG_SIDE % MG_SIDE;
        long z = list[i].point / MG_SIDE / MG_SIDE;
        if (y / l->n[1] == m->place[0] && z / l->n[2] == m->place[1]) {
            long at = (z % l->n[2] + 1) * l->plane + (y % l->n[1] + 1) * l->row + x + 1;
            m->base[m->v + at] = value;
        }
    }
}

static inline void mg_start(const struct mg *m) {
    const int top = MG_LEVELS - 1;
    const struct mg_level *l = &m->level[top];
    struct mg_charges charges = mg_no_charges();
    double numbers[MG_SIDE];
    MG_PLANES
    for (long k = 1; k <= l->n[2]; k++) {
        for (long j = 1; j <= l->n[1]; j++) {
            uint64_t seed = npb_skip(NPB_SEED, NPB_A, (uint64_t)mg_point(m, j, k));
            npb_randoms(MG_SIDE, &seed, NPB_A, numbers);
            for (long i = 0; i < MG_SIDE; i++) {
                mg_keep(charges.high, 1, numbers[i], mg_point(m, j, k) + i);
                mg_keep(charges.low, -1, numbers[i], mg_point(m, j, k) + i);
            }
        }
    }
    mg_agree(&charges);
    mg_clear(m, top, m->u[top]);
    mg_clear(m, top, m->v);
    mg_place_charges(m, charges.low, -1);
    mg_place_charges(m, charges.high, 1);
    mg_border(m, top, m->v);
}

static inline double mg_norm(const struct mg *m) {
    const struct mg_level *l = &m->level[MG_LEVELS - 1];
    double sum = 0;
    MG_PLANES
    for (long z = 1; z <= l->n[2]; z++) {
        sum += mg_square_plane(l, m->base + m->r[MG_LEVELS - 1] + z * l->plane);
    }
    return sqrt(mg_sum(sum) / ((double)MG_SIDE * MG_SIDE * MG_SIDE));
}

/*
 * The run
 */

/* How many parts y and z have: as little border as can be, and rather long planes. Returns 0 if the
 * number of threads is no power of two, or there are too many. */
static inline int mg_divide(int threads, int parts[2]) {
    long least = 0;
    for (int y = 1; y <= threads; y *= 2) {
        int z = threads / y;
        if (y * z != threads || (z & (z - 1)) || y > MG_SIDE / 4 || z > MG_SIDE / 4) {
            continue;
        }
        long border = (y > 1 ? MG_SIDE / z : 0) + (z > 1 ? MG_SIDE / y : 0);
        if (least == 0 || border < least) {
            least = border;
            parts[0] = y;
            parts[1] = z;
        }
        if (border == 0) {
            return 1;
        }
    }
    return least > 0;
}

/* Levels of at most so many points a side are whole. */
enum { MG_WHOLE = 8 };

/* Lays out the share of one of `threads`. Returns how many points it has, 0 if there cannot be so
 * many threads. */
static inline size_t mg_setup(struct mg *m, int threads, int thread) {
    if (!mg_divide(threads, m->parts)) {
        return 0;
    }
    m->place[0] = thread % m->parts[0];
    m->place[1] = thread / m->parts[0];
    long points = 0;
    for (int k = 0; k < MG_LEVELS; k++) {
        long side = 2L << k;
        struct mg_level *l = &m->level[k];
        l->whole = threads == 1 || side <= MG_WHOLE || side < 2 * m->parts[0] ||
                   side < 2 * m->parts[1];
        l->n[0] = side;
        l->n[1] = l->whole ? side : side / m->parts[0];
        l->n[2] = l->whole ? side : side / m->parts[1];
        l->row = side + 2;
        l->plane = l->row * (l->n[1] + 2);
        long size = l->plane * (l->n[2] + 2);
        m->u[k] = points;
        m->r[k] = points + size;
        points += 2 * size;
        m->v = points;
    }
    const struct mg_level *top = &m->level[MG_LEVELS - 1];
    return (size_t)(points + top->plane * (top->n[2] + 2));
}

/* Points of a thread's piece of the largest whole level; at least 1, if none is cut. */
static inline size_t mg_piece_points(const struct mg *m) {
    size_t points = 1;
    for (int k = 0; !m->level[MG_LEVELS - 1].whole && m->level[k].whole; k++) {
        long side = m->level[k].n[0];
        points = (size_t)(side * (side / m->parts[0]) * (side / m->parts[1]));
    }
    return points;
}

/* Where thread `owner`'s piece of a whole level is; its sizes in y and z. */
static inline long mg_piece_of(const struct mg *m, const struct mg_level *l, int owner, long n[2]) {
    n[0] = l->n[1] / m->parts[0];
    n[1] = l->n[2] / m->parts[1];
    return (owner % m->parts[0] * n[0] + 1) * l->row +
           (owner / m->parts[0] * n[1] + 1) * l->plane + 1;
}

/* What all threads do. Returns the norm of the last residual; the seconds that the cycles took. */
static inline double mg_run(const struct mg *m, double *seconds) {
    mg_start(m);
    mg_residual_top(m);
    mg_cycle(m); /* once, untimed: memory and caches are then as they stay */
    mg_start(m);
    mg_sum(0); /* all begin together */
    double began = bench_now();
    mg_residual_top(m);
    for (int i = 0; i < MG_CYCLES; i++) {
        mg_cycle(m);
    }
    double norm = mg_norm(m);
    *seconds = bench_now() - began;
    return norm;
}

static inline int mg_finish(double norm, double seconds) {
    double operations = 58.0 * MG_CYCLES * MG_SIDE * MG_SIDE * MG_SIDE;
    return npb_finish("mg", operations, seconds,
                      npb_is("the residual's norm", norm, MG_OFFICIAL, 1e-8));
}

static inline int mg_refuse(int threads) {
    return npb_refuse("mg", "their number is a power of two, and a piece has 4 points a side or more",
                      threads);
}

#endif
