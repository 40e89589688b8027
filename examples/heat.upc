// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
//@ flags: -lm
/*
 * Heat equation on a rod whose ends are kept at 0 degrees.
 *
 * Shows a block layout, `shared [CELLS]`: the first CELLS elements live with thread 0, the next
 * with thread 1, and so on, so that a cell's neighbours are nearly always in the same memory.
 * upc_forall gives every iteration to the thread that holds the element named in its fourth
 * clause.
 *
 * The rod begins as a sine wave, which keeps its shape and shrinks by a known factor in each
 * step: that is the answer to check against.
 */
#include <math.h>
#include <stdio.h>
#include <upc_relaxed.h>

#define CELLS 50 /* of each thread */
#define STEPS 400
#define RATIO 0.25 /* dt / dx^2 */
#define PI 3.14159265358979323846

/* Two states of the rod: the old one is read while the new one is written. */
shared [CELLS] double rod[2][CELLS * THREADS];

/* Temperature of cell i, or of the ends beyond the cells. */
static double cell(int which, int i) {
    return i < 0 || i >= CELLS * THREADS ? 0.0 : rod[which][i];
}

int main(void) {
    const int n = CELLS * THREADS;
    int i, step, now = 0;

    upc_forall (i = 0; i < n; i++; &rod[0][i]) {
        rod[0][i] = sin(PI * (i + 1) / (n + 1));
    }
    upc_barrier;

    for (step = 0; step < STEPS; step++) {
        upc_forall (i = 0; i < n; i++; &rod[1 - now][i]) {
            double left = cell(now, i - 1), here = cell(now, i), right = cell(now, i + 1);
            rod[1 - now][i] = here + RATIO * (left - 2 * here + right);
        }
        now = 1 - now;
        /* Neighbours read what was written here: all must have finished the step. */
        upc_barrier;
    }

    if (MYTHREAD == 0) {
        double half = sin(PI / (2.0 * (n + 1)));
        double shrink = pow(1 - 4 * RATIO * half * half, STEPS);
        double worst = 0;
        for (i = 0; i < n; i++) {
            double error = fabs(rod[now][i] - shrink * sin(PI * (i + 1) / (n + 1)));
            worst = error > worst ? error : worst;
        }
        printf("%d cells, %d steps: the middle is at %.6f, largest error %.1e\n", n, STEPS,
               (double)rod[now][n / 2], worst);
        if (!(worst < 1e-12)) {
            return 1;
        }
        printf("ok\n");
    }
    return 0;
}
