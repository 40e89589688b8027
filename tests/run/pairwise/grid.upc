// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 4x1 5x1 7x1 8x1 1x8 4x2 2:3x1 2:2x2
/* Threads on a grid and on a torus keep pace with their neighbours only: what these wrote in this
 * step is there, and what is read in this step is not overwritten. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_pairwise.h>

#define STEPS 150

static shared long value[2][THREADS];

/* Those beside place `me` of a grid of `rows` rows; a torus has no edges. */
static int neighbours(int me, int rows, int torus, int *of)
{
    static const int step[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    int columns = THREADS / rows, n = 0;
    for (int d = 0; d < 4; d++) {
        int row = me / columns + step[d][0], column = me % columns + step[d][1];
        if (torus) {
            row = (row + rows) % rows;
            column = (column + columns) % columns;
        }
        if (row >= 0 && row < rows && column >= 0 && column < columns)
            of[n++] = row * columns + column;
    }
    return n;
}

/* The sums that neighbours' values make, by one thread alone. */
static long alone(int rows, int torus)
{
    long now[THREADS], next[THREADS];
    for (int t = 0; t < THREADS; t++)
        now[t] = t + 1;
    for (int step = 0; step < STEPS; step++) {
        for (int t = 0; t < THREADS; t++) {
            int of[4], n = neighbours(t, rows, torus, of);
            next[t] = now[t];
            for (int i = 0; i < n; i++)
                next[t] += now[of[i]] * (i + 1);
            next[t] %= 1000003;
        }
        memcpy(now, next, sizeof now);
    }
    return now[MYTHREAD];
}

static long together(int rows, int torus)
{
    int of[4], n = neighbours(MYTHREAD, rows, torus, of);
    long mine = MYTHREAD + 1;
    for (int step = 0; step < STEPS; step++) {
        value[step % 2][MYTHREAD] = mine;
        if (step % 5 == 4) {
            upcx_signal_set(of, n);
            upcx_wait_set(of, n);
        } else {
            upcx_sync(of, n);
        }
        for (int i = 0; i < n; i++)
            mine += value[step % 2][of[i]] * (i + 1);
        mine %= 1000003;
    }
    return mine;
}

int main(void)
{
    for (int rows = 1; rows <= THREADS; rows++) {
        if (THREADS % rows)
            continue;
        for (int torus = 0; torus <= 1; torus++) {
            CHECK_EQ(together(rows, torus), alone(rows, torus));
            upc_barrier;
        }
    }
    return check_done();
}
