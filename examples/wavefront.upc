// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * Edit distance of two texts, by dynamic programming.
 *
 * Shows pairwise synchronization: each thread has a strip of columns of the table, and needs the
 * last column of the strip to its left, a block of rows at a time. So the work moves over the
 * table as a wave, and a thread that has done its block signals the thread to its right alone.
 * The same wave with a barrier after each step is beside it: there all wait for the slowest in
 * each step, and for the wave to come and to pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_tick.h>
#include <upcx_pairwise.h>

#define ROWS 1200  /* letters of one text */
#define BLOCK 40   /* of these, in a step */
#define STEPS (ROWS / BLOCK)
#define COLUMNS 300 /* of each thread: letters of the other text */

/* The last column of each thread's strip: row r stands at r, and row 0 above all letters. */
shared [ROWS + 1] int edge[THREADS][ROWS + 1];

static char text[ROWS], other[COLUMNS]; /* the thread's part of the other text */
static int above[COLUMNS + 1];          /* the strip's last row so far; [0] is the left edge */

static int least(int a, int b, int c) {
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Row 0: the distance from no letters at all. */
static void begin(void) {
    for (int c = 0; c <= COLUMNS; c++) {
        above[c] = MYTHREAD * COLUMNS + c;
    }
    edge[MYTHREAD][0] = above[COLUMNS];
}

static void do_block(int step) {
    for (int row = step * BLOCK + 1; row <= (step + 1) * BLOCK; row++) {
        int corner = above[0];
        above[0] = MYTHREAD > 0 ? edge[MYTHREAD - 1][row] : row;
        for (int c = 1; c <= COLUMNS; c++) {
            int differs = text[row - 1] != other[c - 1];
            int here = least(corner + differs, above[c] + 1, above[c - 1] + 1);
            corner = above[c];
            above[c] = here;
        }
        edge[MYTHREAD][row] = above[COLUMNS];
    }
}

/* Whoever has waited for the left neighbour's signal sees what that wrote before it. */
static void by_signals(void) {
    for (int step = 0; step < STEPS; step++) {
        if (MYTHREAD > 0) {
            upcx_wait(MYTHREAD - 1);
        }
        do_block(step);
        if (MYTHREAD < THREADS - 1) {
            upcx_signal(MYTHREAD + 1);
        }
    }
}

static void by_barriers(void) {
    for (int time = 0; time < STEPS + THREADS - 1; time++) {
        if (time >= MYTHREAD && time < STEPS + MYTHREAD) {
            do_block(time - MYTHREAD);
        }
        upc_barrier;
    }
}

static int distance(void (*wave)(void), const char *name) {
    begin();
    upc_barrier;
    upc_tick_t start = upc_ticks_now();
    wave();
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("by %s: %d edits, %.0f us\n", name, edge[THREADS - 1][ROWS],
               upc_ticks_to_ns(upc_ticks_now() - start) / 1e3);
    }
    return edge[THREADS - 1][ROWS];
}

/* One row after the other, as a program without threads would. */
static int alone(const char *whole, int columns) {
    int *row = malloc((columns + 1) * sizeof *row), result;
    for (int c = 0; c <= columns; c++) {
        row[c] = c;
    }
    for (int r = 1; r <= ROWS; r++) {
        int corner = row[0];
        row[0] = r;
        for (int c = 1; c <= columns; c++) {
            int here = least(corner + (text[r - 1] != whole[c - 1]), row[c] + 1, row[c - 1] + 1);
            corner = row[c];
            row[c] = here;
        }
    }
    result = row[columns];
    free(row);
    return result;
}

int main(void) {
    const int columns = COLUMNS * THREADS;
    char *whole = malloc(columns);
    unsigned random = 1;
    for (int i = 0; i < ROWS; i++) {
        random = random * 1103515245 + 12345;
        text[i] = "acgt"[random >> 16 & 3];
    }
    for (int i = 0; i < columns; i++) { /* the first text, repeated, with an error here and there */
        random = random * 1103515245 + 12345;
        whole[i] = (random >> 16) % 10 ? text[i % ROWS] : 'n';
    }
    memcpy(other, whole + MYTHREAD * COLUMNS, COLUMNS);

    int expected = alone(whole, columns);
    int good = distance(by_barriers, "barriers") == expected;
    upc_barrier;
    good = distance(by_signals, "signals") == expected && good;
    if (!good) {
        printf("thread %d: WRONG, %d edits expected\n", MYTHREAD, expected);
    } else if (MYTHREAD == 0) {
        puts("ok");
    }
    free(whole);
    return !good;
}
