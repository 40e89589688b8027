// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops inside of distributed ones that go along other arrays: rows by pointers, vectors of all threads,
// and other threads' rows.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { ROWS = 7, COLUMNS = 24, BLOCK = 12 };

static shared [COLUMNS] int rows[ROWS * THREADS][COLUMNS], others[ROWS * THREADS][COLUMNS];
static shared [BLOCK] int vector[BLOCK * THREADS], long_vector[COLUMNS * THREADS];
static shared int result[ROWS * THREADS], cyclic[COLUMNS * THREADS];
static shared [] int *parts[ROWS];
static int n_rows;

/* Not known to the compiler. */
static __attribute__((noinline)) int owner_of(int row)
{
    return row % THREADS;
}

static void expect_rows(const char *what, int times, int more)
{
    upc_barrier;
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            expect(what, rows[i][j], times * (100 * i + j) + more);
    upc_barrier;
}

static void by_row_pointers(void)
{
    int i, j;
    upc_forall (i = 0; i < n_rows; i++; &rows[i][0]) {
        shared [COLUMNS] int *row = rows[i];
        for (j = 0; j < COLUMNS; j++)
            row[j] = 100 * i + j + 10000 * (owner_of(i) - MYTHREAD);
    }
    expect_rows("rows by pointers", 1, 0);
    upc_forall (i = 0; i < n_rows; i++; i) {
        shared [COLUMNS] int *row = &rows[i][0];
        for (j = 0; j < COLUMNS; j++)
            *row++ += 100 * i + j;
        expect("end of the row", row - &rows[i][0], COLUMNS);
    }
    expect_rows("pointers that move", 2, 0);
    for (i = 0; i < n_rows; i++) {
        if (owner_of(i) != MYTHREAD)
            continue;
        shared [COLUMNS] int *row = &rows[i][0], *end = row + COLUMNS;
        for (; row < end; row++)
            *row += 1;
    }
    expect_rows("without a first clause", 2, 1);
    for (i = MYTHREAD; i < n_rows; i += THREADS) {
        shared [COLUMNS] int *row = rows[i];
        for (j = COLUMNS - 1; j >= 0; j--)
            row[j] -= j % 2 ? 1 : rows[i][j] - 2 * (100 * i + j);
    }
    expect_rows("downwards", 2, 0);
}

/* A matrix times vectors of which each thread has a part. */
static void products(int n)
{
    int i, j;
    upc_forall (i = 0; i < n_rows; i++; &rows[i][0]) {
        int sum = 0;
        for (j = 0; j < n; j++)
            sum += rows[i][j] * long_vector[j] + cyclic[j];
        result[i] = sum + 10000 * (owner_of(i) - MYTHREAD);
    }
    upc_barrier;
    for (i = 0; i < n_rows; i++) {
        int sum = 0;
        for (j = 0; j < n; j++)
            sum += 2 * (100 * i + j) * (j + 3) + j;
        expect("products", result[i], sum);
    }
    upc_barrier;
    /* Whatever the loop inside adds is added to what the one around writes. */
    shared [] int *first = parts[0];
    upc_forall (i = 0; i < n_rows; i++; &result[i]) {
        result[i] = first[i % 5];
        for (j = 0; j < BLOCK * THREADS; j++)
            result[i] += vector[j];
        result[i] -= parts[i % ROWS][i % 5] + first[i % 5];
    }
    upc_barrier;
    for (i = 0; i < n_rows; i++) {
        int all = BLOCK * THREADS;
        expect("sums", result[i], all * (all - 1) / 2 - (1000 * (i % ROWS) + i % 5));
    }
    upc_barrier;
}

/* Rows of other threads, a column, and a loop inside the loop inside. */
static void neighbours(void)
{
    int i, j, k;
    upc_forall (i = 0; i < n_rows; i++; &others[i][0])
        for (j = 0; j < COLUMNS; j++)
            others[i][j] = rows[(i + 1) % n_rows][j] + rows[i][(j + 1) % COLUMNS];
    upc_barrier;
    for (i = 0; i < n_rows; i++)
        for (j = 0; j < COLUMNS; j++)
            expect("neighbours", others[i][j],
                   2 * (100 * ((i + 1) % n_rows) + j) + 2 * (100 * i + (j + 1) % COLUMNS));
    upc_barrier;
    upc_forall (i = 0; i < n_rows; i++; &others[i][0])
        for (j = 0; j < COLUMNS; j++) {
            others[i][j] = 0;
            for (k = 0; k < ROWS; k++)
                others[i][j] += rows[i][k] * rows[k][j];
        }
    upc_barrier;
    for (i = 0; i < n_rows; i++)
        for (j = 0; j < COLUMNS; j++) {
            int sum = 0;
            for (k = 0; k < ROWS; k++)
                sum += 2 * (100 * i + k) * 2 * (100 * k + j);
            expect("matrices", others[i][j], sum);
        }
    upc_barrier;
}

int main(void)
{
    n_rows = ROWS * THREADS;
    for (int i = MYTHREAD; i < COLUMNS * THREADS; i += THREADS) {
        long_vector[i] = i + 3;
        cyclic[i] = i;
    }
    int i;
    upc_forall (i = 0; i < BLOCK * THREADS; i++; &vector[i])
        vector[i] = i;
    /* The last thread's, for all. */
    static shared [] int *shared all_parts;
    if (MYTHREAD == THREADS - 1) {
        all_parts = upc_alloc(ROWS * 5 * sizeof(int));
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < 5; k++)
                all_parts[5 * r + k] = 1000 * r + k;
    }
    upc_barrier;
    for (int r = 0; r < ROWS; r++)
        parts[r] = all_parts + 5 * r;
    by_row_pointers();
    products(COLUMNS);
    products(11);
    neighbours();
    return MYTHREAD == 0 ? done() : wrong;
}
