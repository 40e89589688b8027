// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 7x1
//@ flags: -lm
/* K-means: points in blocks, partial sums in a shared matrix of structs (one column for each
 * thread), centres recomputed by their owners, until nothing moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <upc_relaxed.h>

#define POINTS 120
#define K 4
#define DIM 3

struct point { float x[DIM]; int cluster; };
struct sum { double x[DIM]; int n; };
struct centre { float x[DIM]; };

shared [POINTS] struct point points[POINTS * THREADS];
shared struct sum sums[K][THREADS];
shared [] struct centre centres[K]; /* all with thread 0 */
shared int moved[THREADS];

static const float truth[K][DIM] = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}};

static float noise(unsigned *s) { *s = *s * 1664525u + 1013904223u; return (*s >> 8) / 16777216.0f - 0.5f; }

static float distance2(const float a[DIM], const float b[DIM])
{
    float d = 0;
    for (int i = 0; i < DIM; i++)
        d += (a[i] - b[i]) * (a[i] - b[i]);
    return d;
}

static int assign(struct point *p, int n, const struct centre *c)
{
    int changed = 0;
    for (; n--; p++) {
        int best = 0;
        for (int k = 1; k < K; k++)
            if (distance2(p->x, c[k].x) < distance2(p->x, c[best].x))
                best = k;
        changed += p->cluster != best;
        p->cluster = best;
    }
    return changed;
}

int main(void)
{
    unsigned seed = 99 + MYTHREAD;
    int i, k, t, round, any = 1;
    struct point *mine = (struct point *)&points[MYTHREAD * POINTS];
    struct centre copy[K];

    for (i = 0; i < POINTS; i++) {
        for (k = 0; k < DIM; k++)
            mine[i].x[k] = truth[i % K][k] + 4 * noise(&seed);
        mine[i].cluster = -1;
    }
    if (MYTHREAD == 0)
        for (k = 0; k < K; k++)
            for (i = 0; i < DIM; i++)
                centres[k].x[i] = truth[k][i] * 0.4f + 2; /* a poor guess */
    upc_barrier;

    for (round = 0; any && round < 50; round++) {
        upc_memget(copy, centres, sizeof copy);
        moved[MYTHREAD] = assign(mine, POINTS, copy);
        for (k = 0; k < K; k++) {
            struct sum s;
            memset(&s, 0, sizeof s);
            for (i = 0; i < POINTS; i++)
                if (mine[i].cluster == k) {
                    s.n++;
                    for (t = 0; t < DIM; t++)
                        s.x[t] += mine[i].x[t];
                }
            sums[k][MYTHREAD] = s;
        }
        upc_barrier;
        upc_forall (k = 0; k < K; k++; k) {
            struct sum all = sums[k][0];
            for (t = 1; t < THREADS; t++) {
                all.n += sums[k][t].n;
                for (i = 0; i < DIM; i++)
                    all.x[i] += sums[k][t].x[i];
            }
            for (i = 0; i < DIM; i++)
                centres[k].x[i] = all.n ? all.x[i] / all.n : 0;
        }
        for (any = 0, t = 0; t < THREADS; t++)
            any |= moved[t];
        upc_barrier;
    }
    for (k = 0; k < K; k++)
        for (i = 0; i < DIM; i++)
            if (!(fabsf(centres[k].x[i] - truth[k][i]) < 1.0f)) {
                printf("thread %d: centre %d is at %g\n", MYTHREAD, k, (double)centres[k].x[i]);
                upc_global_exit(1);
            }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
