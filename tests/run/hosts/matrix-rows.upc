// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 3x1 2:2x1 2:2x2 3:3x1 2:5x1
//@ flags: -O3
// Loops along rows of matrices, which are fetched in pieces from other hosts: bodies with conditions, of which
// the rows beside the matrix and the elements beside the row are none of the program's; pieces of long
// rows; rows of rows, records, and rows that are written.
#include "expect.h"
#include <upc_relaxed.h>

enum { ROWS = 6, N = 24, LONG = 20000, DEEP = 4 };

struct cell {
    int n;
    double v[2];
};

static shared [N] int a[ROWS * THREADS][N], b[ROWS * THREADS][N];
static shared [2 * N] int two[2 * ROWS * THREADS][N];
static shared [LONG] int wide[THREADS][LONG];
static shared [DEEP * N] int deep[THREADS * 3][DEEP][N];
static shared [N] struct cell cells[THREADS][N];
static int n_rows, rows_of_two;

static int value(int i, int j)
{
    return i < 0 || j < 0 || j >= N ? 0 : 100 * i + j * j % 17;
}

static long sum_of(int from, int to, int first, int last)
{
    long sum = 0;
    for (int i = from; i < to; i++)
        for (int j = first; j < last; j++)
            sum += value(i, j);
    return sum;
}

static int in_a(int i, int j)
{
    return i < n_rows ? value(i, j) : 0;
}

static void fill(void)
{
    upc_forall (int i = 0; i < n_rows; i++; &a[i][0])
        for (int j = 0; j < N; j++)
            a[i][j] = value(i, j), b[i][j] = -1;
    upc_forall (int i = 0; i < rows_of_two; i++; &two[i][0])
        for (int j = 0; j < N; j++)
            two[i][j] = value(i, j);
    for (int j = 0; j < LONG; j++)
        wide[MYTHREAD][j] = j + MYTHREAD;
    upc_forall (int i = 0; i < 3 * THREADS; i++; &deep[i][0][0])
        for (int k = 0; k < DEEP; k++)
            for (int j = 0; j < N; j++)
                deep[i][k][j] = value(i + k, j);
    for (int j = 0; j < N; j++) {
        cells[MYTHREAD][j].n = j;
        cells[MYTHREAD][j].v[1] = j + .5;
    }
    upc_barrier;
}

static void expect_cross(const char *what, int with_border)
{
    upc_barrier;
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < N; j++) {
            int is_inner = i > 0 && i < n_rows - 1 && j > 0 && j < N - 1;
            int cross = in_a(i - 1, j) + in_a(i + 1, j) + value(i, j - 1) + value(i, j + 1);
            expect(what, b[i][j], is_inner || with_border ? cross : -1);
        }
    upc_barrier;
    upc_forall (int i = 0; i < n_rows; i++; &b[i][0])
        for (int j = 0; j < N; j++)
            b[i][j] = -1;
    upc_barrier;
}

static void crosses(void)
{
    upc_forall (int i = 1; i < n_rows - 1; i++; &a[i][0])
        for (int j = 1; j < N - 1; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
    expect_cross("inner", 0);
    upc_forall (int i = 0; i < n_rows; i++; &a[i][0])
        for (int j = 0; j < N; j++) {
            int s = 0;
            if (i > 0)
                s += a[i - 1][j];
            if (i < n_rows - 1)
                s += a[i + 1][j];
            if (j > 0)
                s += a[i][j - 1];
            if (j < N - 1)
                s += a[i][j + 1];
            b[i][j] = s;
        }
    expect_cross("with conditions", 1);
    upc_forall (int i = 0; i < n_rows; i++; &a[i][0])
        for (int j = N - 1; j >= 0; j--)
            b[i][j] = (i > 0 ? a[i - 1][j] : 0) + (i + 1 < n_rows ? a[i + 1][j] : 0) +
                      (j ? a[i][j - 1] : 0) + (j != N - 1 ? a[i][j + 1] : 0);
    expect_cross("downwards", 1);
}

/* Elements of other threads' rows that have neighbours there. */
static void boxes(void)
{
    upc_forall (int i = 0; i < n_rows; i++; &b[i][0])
        for (int j = 0; j < N; j++) {
            int s = 0;
            if (i > 0 && j > 0)
                s += a[i - 1][j - 1];
            if (i > 0 && j < N - 1)
                s += a[i - 1][j + 1];
            if (i < n_rows - 1 && j > 1)
                s += a[i + 1][j - 2];
            b[i][j] = s;
        }
    upc_barrier;
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < N; j++)
            expect("corners", b[i][j], in_a(i - 1, j - 1) + in_a(i - 1, j + 1) + in_a(i + 1, j - 2));
    upc_barrier;
}

static void sums(void)
{
    int last = (MYTHREAD + 1) % THREADS;
    long sum = 0;
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < 3 * N; j++)
            if (j < N)
                sum += a[i][j];
    expect("more than the row", sum, sum_of(0, n_rows, 0, N));
    sum = 0;
    for (int i = -2; i < n_rows + 2; i++)
        for (unsigned char j = 4; j < N - 3; j++)
            if (i >= 0 && i < n_rows)
                sum += a[i][j];
    expect("more rows than there are", sum, sum_of(0, n_rows, 4, N - 3));
    sum = 0;
    for (int j = 0; j < N; j++)
        sum += a[n_rows - 1][j] * (j > 2 ? 1 : 0) + (n_rows > ROWS * THREADS ? a[n_rows][j] : 0);
    expect("a row beyond", sum, sum_of(n_rows - 1, n_rows, 3, N));
    sum = 0;
    for (int i = 0; i < rows_of_two; i++)
        for (int j = 0; j < N; j++)
            sum += two[i][j];
    expect("two rows in a block", sum, sum_of(0, rows_of_two, 0, N));
    sum = 0;
    for (int j = 1; j < LONG; j++)
        sum += wide[last][j] - (j > 7 ? wide[last][j - 1] : wide[last][j]);
    expect("a long row", sum, LONG - 8);
    sum = 0;
    for (int i = 0; i < 3 * THREADS; i++)
        for (int k = 0; k < DEEP; k++)
            for (int j = 0; j < N; j++)
                sum += deep[i][k][j] + (k > 0 ? deep[i][k - 1][j] : 0) + (i ? deep[i - 1][k][j] : 0);
    long all = 0;
    for (int i = 0; i < 3 * THREADS; i++)
        for (int k = 0; k < DEEP; k++)
            all += sum_of(i + k, i + k + 1, 0, N) + (k ? sum_of(i + k - 1, i + k, 0, N) : 0) +
                   (i ? sum_of(i + k - 1, i + k, 0, N) : 0);
    expect("planes", sum, all);
    double total = 0;
    for (int j = 0; j < N; j++) {
        total += cells[last][j].n;
        if (j % 2)
            total += cells[last][j].v[1];
    }
    expect("records", (long)total, N * (N - 1) / 2 + N * N / 4 + N / 4);
}

/* Rows that pointers lead to, and elements that are found by sums. */
static void directory(void)
{
    static shared [] int *shared rows[ROWS * THREADS];
    upc_forall (int i = 0; i < n_rows; i++; &rows[i]) {
        rows[i] = upc_alloc(N * sizeof(int));
        for (int j = 0; j < N; j++)
            *(j + rows[i]) = value(i, j);
    }
    upc_barrier;
    long sum = 0;
    for (int i = 0; i < n_rows; i++)
        for (int j = 1; j < N; j++)
            sum += *(rows[i] + j) - *(rows[i] + (j - 1)) + rows[i][j];
    expect("by pointers", sum,
           sum_of(0, n_rows, N - 1, N) - sum_of(0, n_rows, 0, 1) + sum_of(0, n_rows, 1, N));
    upc_barrier;
    upc_forall (int i = 0; i < n_rows; i++; &rows[i])
        upc_free(rows[i]);
}

/* What a row has becomes another thread's row, and is changed there. */
static void writes(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    upc_barrier;
    for (int j = 0; j < N; j++)
        b[next][j] = a[next][j] + (j > 3 && next ? a[next - 1][j] : 0);
    upc_barrier;
    for (int j = 0; j < N; j++)
        expect("copied", b[MYTHREAD][j],
               value(MYTHREAD, j) + (j > 3 ? value(MYTHREAD - 1, j) : 0));
    upc_barrier;
    for (int j = 0; j < N; j++)
        b[next][j] += 5;
    for (int j = 0; j < N; j++)
        if (j % 3 == 0)
            b[next][j] += 5;
    /* In the row itself, in order. */
    for (int j = 1; j < N; j++)
        b[next][j] += b[next][j - 1];
    upc_barrier;
    int sum = 0;
    for (int j = 0; j < N; j++) {
        sum += value(MYTHREAD, j) + (j > 3 ? value(MYTHREAD - 1, j) : 0) + (j % 3 ? 5 : 10);
        expect("changed", b[MYTHREAD][j], sum);
    }
}

int main(void)
{
    n_rows = ROWS * THREADS;
    rows_of_two = 2 * ROWS * THREADS;
    fill();
    for (int i = 0; i < 3; i++)
        crosses();
    boxes();
    sums();
    directory();
    writes();
    upc_barrier;
    return done();
}
