// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x4 2x2 8x1
//@ flags: -lm
/* A multigrid V-cycle for the 1-D Poisson equation, in the manner of NAS MG: a table of levels,
 * each level's blocks in a directory, ghost points fetched from the neighbours, and the coarsest
 * levels worked on by thread 0 alone. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <upc_strict.h>
#include <upc_relaxed.h>

#define LEVELS 9
#define FINE (1 << LEVELS) /* intervals of the finest grid */

typedef shared [] double *block_t;
struct level {
    block_t u, f, r; /* one block: points begin .. begin + n - 1 of 1 .. intervals - 1 */
};
shared struct level grid[LEVELS + 1][THREADS];
shared double norms[THREADS];

static int intervals(int level) { return 1 << level; }
/* levels too coarse for all threads belong to thread 0 */
static int shared_out(int level) { return intervals(level) >= 4 * THREADS; }
static int begin_of(int level, int t)
{
    if (!shared_out(level))
        return t == 0 ? 0 : intervals(level);
    return (int)((long)intervals(level) * t / THREADS);
}
static int size_of(int level, int t) { return begin_of(level, t + 1) - begin_of(level, t); }
static int owner(int level, int i)
{
    int t = 0;
    while (i >= begin_of(level, t + 1))
        t++;
    return t;
}

enum which { U, F, R };
static block_t pick(shared struct level *l, enum which w)
{
    return w == U ? l->u : w == F ? l->f : l->r;
}
static double at(int level, enum which w, int i)
{
    int t;
    if (i <= 0 || i >= intervals(level))
        return 0.0;
    t = owner(level, i);
    return pick(&grid[level][t], w)[i - begin_of(level, t)];
}

static void smooth(int level)
{
    int i, n = size_of(level, MYTHREAD), begin = begin_of(level, MYTHREAD), colour;
    double h2 = 1.0 / intervals(level) / intervals(level);
    double *u = (double *)grid[level][MYTHREAD].u, *f = (double *)grid[level][MYTHREAD].f;
    for (colour = 0; colour < 2; colour++) {
        for (i = 0; i < n; i++) {
            int g = begin + i;
            if (g == 0 || g % 2 != colour)
                continue;
            u[i] = 0.5 * (at(level, U, g - 1) + at(level, U, g + 1) + h2 * f[i]);
        }
        upc_barrier;
    }
}

static void residual(int level)
{
    int i, n = size_of(level, MYTHREAD), begin = begin_of(level, MYTHREAD);
    double s = (double)intervals(level) * intervals(level);
    shared struct level *g = &grid[level][MYTHREAD];
    for (i = 0; i < n; i++) {
        int k = begin + i;
        g->r[i] = k == 0 ? 0 : g->f[i] - s * (2 * g->u[i] - at(level, U, k - 1) - at(level, U, k + 1));
    }
    upc_barrier;
}

static void vcycle(int level)
{
    int i, n, begin;
    smooth(level);
    smooth(level);
    if (level > 1) {
        residual(level);
        n = size_of(level - 1, MYTHREAD);
        begin = begin_of(level - 1, MYTHREAD);
        for (i = 0; i < n; i++) {
            int k = 2 * (begin + i);
            grid[level - 1][MYTHREAD].f[i] =
                0.25 * (at(level, R, k - 1) + 2 * at(level, R, k) + at(level, R, k + 1));
            grid[level - 1][MYTHREAD].u[i] = 0;
        }
        upc_barrier;
        vcycle(level - 1);
        n = size_of(level, MYTHREAD);
        begin = begin_of(level, MYTHREAD);
        for (i = 0; i < n; i++) {
            int k = begin + i;
            grid[level][MYTHREAD].u[i] +=
                k % 2 == 0 ? at(level - 1, U, k / 2)
                           : 0.5 * (at(level - 1, U, k / 2) + at(level - 1, U, k / 2 + 1));
        }
        upc_barrier;
    }
    smooth(level);
    smooth(level);
}

static double norm(int level)
{
    double sum = 0;
    int i, t;
    residual(level);
    for (i = 0; i < size_of(level, MYTHREAD); i++)
        sum += grid[level][MYTHREAD].r[i] * grid[level][MYTHREAD].r[i];
    norms[MYTHREAD] = sum;
    upc_barrier;
    for (sum = 0, t = 0; t < THREADS; t++)
        sum += norms[t];
    upc_barrier;
    return sqrt(sum / intervals(level));
}

int main(int argc, char **argv)
{
    int level, i, cycle;
    double first, last, error = 0;
    for (level = 1; level <= LEVELS; level++) {
        size_t bytes = (size_of(level, MYTHREAD) + 1) * sizeof(double);
        shared struct level *g = &grid[level][MYTHREAD];
        g->u = upc_alloc(bytes);
        g->f = upc_alloc(bytes);
        g->r = upc_alloc(bytes);
        upc_memset(g->u, 0, bytes);
        upc_memset(g->f, 0, bytes);
        upc_memset(g->r, 0, bytes);
    }
    for (i = 0; i < size_of(LEVELS, MYTHREAD); i++) {
        double x = (double)(begin_of(LEVELS, MYTHREAD) + i) / FINE;
        grid[LEVELS][MYTHREAD].f[i] = M_PI * M_PI * sin(M_PI * x);
    }
    upc_barrier;
    first = norm(LEVELS);
    for (cycle = 0; cycle < 8; cycle++)
        vcycle(LEVELS);
    last = norm(LEVELS);
    for (i = 1; i < FINE; i += 3) {
        double e = fabs(at(LEVELS, U, i) - sin(M_PI * i / FINE));
        error = e > error ? e : error;
    }
    if (!(last < 1e-6 * first && error < 1e-4)) {
        printf("thread %d: residual %g, then %g; error %g\n", MYTHREAD, first, last, error);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
