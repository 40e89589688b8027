// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 5x1
//@ flags: -lm
/* The wave equation on a string, three time levels in one shared array of structs, inner points
 * computed between upc_notify and upc_wait, pointers to shared blocks rotated. */
#include <stdio.h>
#include <math.h>
#include <upc_relaxed.h>

#define P 32 /* points of each thread */
#define STEPS 200
#define C2 0.64

typedef struct { double v; short touched; } point_t;
shared [P] point_t before[P * THREADS], now[P * THREADS], after[P * THREADS];

static double value(shared [P] point_t *u, int i)
{
    return i < 0 || i >= P * THREADS ? 0.0 : u[i].v;
}

static void step(shared [P] point_t *o, shared [P] point_t *u, shared [P] point_t *n, int i)
{
    n[i].v = 2 * u[i].v - o[i].v + C2 * (value(u, i - 1) - 2 * u[i].v + value(u, i + 1));
    n[i].touched++;
}

int main(void)
{
    shared [P] point_t *o = before, *u = now, *n = after, *t;
    const int low = MYTHREAD * P, high = low + P - 1, total = P * THREADS;
    const double k = M_PI / (total + 1);
    const double omega = 2 * asin(sqrt(C2) * sin(k / 2)); /* of the discrete equation */
    int i, s;

    for (i = low; i <= high; i++) {
        o[i].v = sin(k * (i + 1)) * cos(-omega);
        u[i].v = sin(k * (i + 1));
    }
    for (s = 0; s < STEPS; s++) {
        upc_notify;
        for (i = low + 1; i < high; i++)
            step(o, u, n, i);
        upc_wait;
        step(o, u, n, low);
        step(o, u, n, high);
        t = o, o = u, u = n, n = t;
    }
    upc_barrier;
    for (i = MYTHREAD; i < total; i += THREADS) {
        double expected = sin(k * (i + 1)) * cos(STEPS * omega);
        int touched = o[i].touched + u[i].touched + n[i].touched;
        if (!(fabs(u[i].v - expected) < 1e-10) || touched != STEPS) {
            printf("point %d is %g, expected %g; touched %d times\n", i, u[i].v, expected, touched);
            upc_global_exit(1);
        }
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
