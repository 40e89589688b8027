// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops along rows of matrices of which no block ends within a row: those next to it, of other arrays,
// found by pointers to rows, in blocks of several rows, and where what a row is found by changes.
#include <upc_relaxed.h>
#include <stdlib.h>
#include "../hosts/expect.h"

enum { COLUMNS = 24, ROWS = 6 /* of each thread */, DEPTH = 8 };

struct cell {
    int x, y;
};

static shared [COLUMNS] int a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS];
static shared [ROWS * COLUMNS] int several[ROWS * THREADS][COLUMNS];
static shared [DEPTH * COLUMNS] int cube[ROWS * THREADS][DEPTH][COLUMNS];
static shared [2 * COLUMNS] struct cell cells[ROWS * THREADS][COLUMNS];
static shared [COLUMNS] unsigned char bytes[ROWS * THREADS][COLUMNS];
static shared [COLUMNS / 2] int halves[ROWS * THREADS][COLUMNS];

static int rows;

static int value(int i, int j)
{
    return 7 * i + j * j % 11;
}

static int around(int i, int j)
{
    return value(i - 1, j) + value(i + 1, j) + value(i, j - 1) - value(i, j + 1);
}

static __attribute__((noinline)) void fill(void)
{
    upc_barrier;
    for (int i = MYTHREAD; i < rows; i += THREADS)
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = several[i][j] = halves[i][j] = cells[i][j].x = value(i, j);
            bytes[i][j] = (unsigned char)value(i, j);
            b[i][j] = cells[i][j].y = 0;
            for (int k = 0; k < DEPTH; k++)
                cube[i][k][j] = value(i, j) + k;
        }
    upc_barrier;
}

/* Thread 0 alone, in the general way. */
static void check(const char *what, int lo, int hi, int step)
{
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 1; i < rows - 1; i++)
            for (int j = 0; j < COLUMNS; j++) {
                volatile int at = j;
                int is_there = j >= lo && j < hi && (j - lo) % step == 0;
                expect(what, b[i][at], is_there ? around(i, j) : 0);
            }
    fill();
}

static __attribute__((noinline)) void own_range(int lo, int hi)
{
    int first = MYTHREAD * ROWS, end = first + ROWS;
    first += MYTHREAD == 0;
    end -= MYTHREAD == THREADS - 1;
    int j = -1;
    for (int i = first; i < end; i++) {
        for (j = lo; j < hi; j++)
            b[i][j] = a[i - 1][j] + several[i + 1][j] + a[i][j - 1] - several[i][j + 1];
        expect("index after the loop", j, lo < hi ? hi : lo);
    }
}

static __attribute__((noinline)) void every_second(unsigned lo, unsigned hi)
{
    for (int i = 1 + MYTHREAD; i < rows - 1; i += THREADS)
        for (unsigned j = lo; j < hi; j += 2)
            b[i][j] = a[i - 1][j] + cube[i + 1][3][j] - 3 + halves[i][j - 1] - cells[i][j + 1].x;
}

static __attribute__((noinline)) void downwards(int lo, int hi)
{
    for (int i = 1 + MYTHREAD; i < rows - 1; i += THREADS)
        for (int j = hi - 1; j >= lo; j--)
            b[i][j] = a[i - 1][j] + several[i + 1][j] + halves[i][j - 1] - bytes[i][j + 1];
}

static __attribute__((noinline)) void by_pointers(shared [COLUMNS] int (*to)[COLUMNS],
                                                  shared [COLUMNS] int (*from)[COLUMNS],
                                                  shared [ROWS * COLUMNS] int (*other)[COLUMNS],
                                                  int lo, int hi)
{
    int i, j;
    upc_forall (i = 1; i < rows - 1; i++; i)
        for (j = lo; j <= hi - 1; ++j)
            to[i][j] = from[i - 1][j] + other[i + 1][j] + from[i][j - 1] - other[i][j + 1];
}

/* Pointers to what is no begin of a row. */
static __attribute__((noinline)) int sum_of(shared [COLUMNS] int (*p)[COLUMNS / 2], int row, int n)
{
    int sum = 0;
    for (int j = 0; j < n; j++)
        sum += p[row][j];
    return sum;
}

static __attribute__((noinline)) int sum_by_steps(int n)
{
    int sum = 0, i = 0;
    for (int j = 0; j < n; j++) {
        sum += a[i][j];
        i = (i + 1) % rows;
    }
    for (int j = 0; j < n; j++)
        sum += a[a[j % 2][0] % 2][j];
    return sum;
}

/* Names of the body that hide those of the subscript; a step that is known when the program runs. */
static __attribute__((noinline)) int hidden(int row, int s, int n, int by)
{
    int sum = 0;
    for (int j = 0; j < n; j++) {
        int q = s + 1;
        int s = 7;
        sum += a[row][j + q] + s;
    }
    for (int j = 0; j < n; j += by)
        sum += a[row][j] * several[row + 1][j];
    return sum;
}

/* There is no row where the loop does not go along one. */
static __attribute__((noinline)) int none(shared [COLUMNS] int (*p)[COLUMNS], int parts, int n)
{
    int sum = 0;
    for (int j = 0; j < n; j++)
        if (p && parts)
            sum += p[rows / parts][j];
    return sum;
}

/* Writes to a row that the loop reads, by another name. */
static __attribute__((noinline)) void along_itself(shared [COLUMNS] int (*p)[COLUMNS], int row)
{
    for (int j = 1; j < COLUMNS; j++)
        p[row][j] = a[row][j - 1] + 1;
}

static void check_pointers(void)
{
    by_pointers(b, a, several, 1, COLUMNS - 1);
    check("by pointers", 1, COLUMNS - 1, 1);
    shared [COLUMNS] int (*half)[COLUMNS / 2] =
        (shared [COLUMNS] int (*)[COLUMNS / 2])&a[1][COLUMNS / 4];
    for (int row = 0; row < 2; row++) {
        int sum = 0;
        for (int j = 0; j < COLUMNS / 2; j++) {
            int at = COLUMNS / 4 + row * (COLUMNS / 2) + j;
            sum += value(1 + at / COLUMNS, at % COLUMNS);
        }
        expect("a row over two blocks", sum_of(half, row, COLUMNS / 2), sum);
    }
    int sum = 0;
    for (int j = 0; j < COLUMNS; j++)
        sum += value(j % rows, j) + value(value(j % 2, 0) % 2, j);
    expect("rows that change", sum_by_steps(COLUMNS), sum);
    sum = 0;
    for (int j = 0; j < 10; j++)
        sum += value(2, j + 1) + 7 + (j % 3 == 0 ? value(2, j) * value(3, j) : 0);
    expect("hidden names", hidden(2, 0, 10, 3), sum);
    expect("no row", none(NULL, 0, COLUMNS), 0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        along_itself(a, 3);
    upc_barrier;
    expect("a chain", a[3][COLUMNS - 1], value(3, 0) + COLUMNS - 1);
    fill();
}

int main(void)
{
    rows = ROWS * THREADS;
    fill();
    own_range(1, COLUMNS - 1);
    check("own range", 1, COLUMNS - 1, 1);
    own_range(5, 20);
    check("part of a row", 5, 20, 1);
    own_range(9, 9);
    check("nothing", 9, 9, 1);
    every_second(1, COLUMNS - 1);
    check("every second", 1, COLUMNS - 1, 2);
    every_second(2, COLUMNS - 2);
    check("the others", 2, COLUMNS - 2, 2);
    downwards(1, COLUMNS - 1);
    check("downwards", 1, COLUMNS - 1, 1);
    check_pointers();
    return MYTHREAD == 0 ? done() : wrong;
}
