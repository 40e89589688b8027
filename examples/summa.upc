// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 6x1 1x7 3x1
/*
 * Product of two matrices, by SUMMA (van de Geijn and Watts 1997).
 *
 * Shows teams: the threads are a grid, and each has a block of A, of B and of C. In each step the
 * column of the grid that has the next panel of A gives it to its rows, and the row that has that
 * of B gives it to its columns: broadcasts in the teams of rows and columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

#define SIZE 24   /* rows of a block of A and C, columns of one of B and C */
#define PANEL 4   /* columns of A, or rows of B, in a panel */
#define PANELS 14

/* Panel p of A is in column p % columns of the grid, and panel p of B in row p % rows: each thread
 * has SIZE rows or columns of it. A is stored by columns. */
struct panel {
    double v[PANEL][SIZE];
};
shared [PANELS] struct panel a[THREADS][PANELS], b[THREADS][PANELS];
shared struct panel a_step[THREADS], b_step[THREADS]; /* those of the step */
static double c[SIZE][SIZE];

static int rows, columns; /* of the grid */
static int row, column;   /* the thread's place */
static upcx_team_t my_row, my_column;

/* The most square grid that has all threads. */
static void make_grid(void) {
    for (rows = 1; (rows + 1) * (rows + 1) <= THREADS; rows++) {
    }
    while (THREADS % rows) {
        rows--;
    }
    columns = THREADS / rows;
    row = MYTHREAD / columns;
    column = MYTHREAD % columns;
    my_row = upcx_team_split(UPCX_TEAM_ALL, row, column);
    my_column = upcx_team_split(UPCX_TEAM_ALL, column, row);
}

static double a_of(int i, int k) {
    return (i * 7 + k * 3) % 11 - 5;
}

static double b_of(int k, int j) {
    return (k * 5 + j * 2) % 13 - 6;
}

/* Those panels that the thread's column of the grid has, and its row. */
static void fill(void) {
    for (int k = 0; k < PANELS * PANEL; k++) {
        int p = k / PANEL;
        for (int i = 0; i < SIZE; i++) {
            if (p % columns == column) {
                a[MYTHREAD][p].v[k % PANEL][i] = a_of(row * SIZE + i, k);
            }
            if (p % rows == row) {
                b[MYTHREAD][p].v[k % PANEL][i] = b_of(k, column * SIZE + i);
            }
        }
    }
}

/* c += a_step * b_step */
static void multiply(void) {
    const struct panel *x = (const struct panel *)&a_step[MYTHREAD];
    const struct panel *y = (const struct panel *)&b_step[MYTHREAD];
    for (int k = 0; k < PANEL; k++) {
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                c[i][j] += x->v[k][i] * y->v[k][j];
            }
        }
    }
}

/* A member's room is written when it has called the broadcast, which is after it has used what was
 * there: MYSYNC is enough, and nobody waits for threads of other rows and columns. */
static void summa(void) {
    upc_flag_t flags = UPC_IN_MYSYNC | UPC_OUT_MYSYNC;
    for (int p = 0; p < PANELS; p++) {
        int a_root = upcx_team_thread(my_row, p % columns);
        int b_root = upcx_team_thread(my_column, p % rows);
        upcx_team_broadcast(my_row, a_step, &a[a_root][p], sizeof(struct panel), flags);
        upcx_team_broadcast(my_column, b_step, &b[b_root][p], sizeof(struct panel), flags);
        multiply();
    }
}

/* Differences from the product that is computed directly. */
static int check(void) {
    int wrong = 0;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < PANELS * PANEL; k++) {
                sum += a_of(row * SIZE + i, k) * b_of(k, column * SIZE + j);
            }
            wrong += c[i][j] != sum;
        }
    }
    return wrong;
}

shared int wrong[THREADS];

int main(void) {
    make_grid();
    fill();
    summa();
    wrong[MYTHREAD] = check();
    upcx_team_reduce_all(UPCX_TEAM_ALL, wrong, wrong, 1, UPC_INT, UPC_ADD, 0);
    if (MYTHREAD == 0) {
        puts(wrong[0] ? "C is WRONG" : "ok");
    }
    upcx_team_free(my_row);
    upcx_team_free(my_column);
    return wrong[MYTHREAD] != 0;
}
