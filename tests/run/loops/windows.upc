// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops around loops of a few iterations, by which each element reaches for those around it.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { WIDE = 24, HIGH = 9 /* rows of each thread */, OWN = WIDE * HIGH };

static shared [OWN] int grid[HIGH * THREADS][WIDE], to[HIGH * THREADS][WIDE];
static shared [WIDE] int by_rows[HIGH * THREADS][WIDE];
static shared [OWN] int flat[OWN * THREADS], flat_to[OWN * THREADS];
static shared [40] int line[OWN * THREADS], line_to[OWN * THREADS];
static shared int cyclic[OWN * THREADS];
struct cell { int x[3], n; };
static shared [10] struct cell cells[OWN * THREADS];
static int weight[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
static int rows, all;

static int value(int i, int j)
{
    return i * i % 91 + 3 * j * j % 17;
}

static int expected(int i, int j)
{
    int sum = 0;
    for (volatile int a = -1; a < 2; a++)
        for (volatile int b = -1; b < 2; b++)
            sum += weight[a + 1][b + 1] * value(i + a, j + b);
    return sum;
}

static void fill(void)
{
    for (int i = MYTHREAD; i < rows; i += THREADS)
        for (int j = 0; j < WIDE; j++) {
            int at = i * WIDE + j;
            grid[i][j] = by_rows[i][j] = flat[at] = value(i, j);
            line[at] = cyclic[at] = at % 1009;
            for (int d = 0; d < 3; d++)
                cells[at].x[d] = at + d;
            cells[at].n = 0;
        }
    upc_barrier;
}

static void check(const char *what, int begin, int end, int lo, int hi)
{
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < WIDE; j++) {
                volatile int at = i * WIDE + j;
                int is_there = i >= begin && i < end && j >= lo && j < hi;
                expect(what, to[i][j], is_there ? expected(i, j) : 0);
                expect(what, flat_to[at], is_there ? expected(i, j) : 0);
            }
    upc_barrier;
    for (int i = MYTHREAD; i < rows; i += THREADS)
        for (int j = 0; j < WIDE; j++) {
            volatile int at = i * WIDE + j;
            to[i][j] = flat_to[at] = 0;
        }
    upc_barrier;
}

/* Own rows, of which the first and the last one reach for other threads'. */
static __attribute__((noinline)) void own_rows(int lo, int hi)
{
    int begin = MYTHREAD * HIGH + (MYTHREAD == 0);
    int end = (MYTHREAD + 1) * HIGH - (MYTHREAD == THREADS - 1);
    for (int i = begin; i < end; i++)
        for (int j = lo; j < hi; j++) {
            int sum = 0, other = 0;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++) {
                    sum += weight[a + 1][b + 1] * grid[i + a][j + b];
                    other += weight[a + 1][b + 1] * flat[(i + a) * WIDE + j + b];
                }
            to[i][j] = sum;
            flat_to[i * WIDE + j] = other;
        }
}

/* The same in other words. */
static __attribute__((noinline)) void other_words(int lo, int hi)
{
    int i, j;
    upc_forall (i = 1; i < rows - 1; i++; &to[i][0])
        for (j = lo; j < hi; j++) {
            int sum = 0, other = 0;
            for (unsigned a = 0; a < 3; a++) {
                for (int b = 1; b >= -1; b--)
                    if (a != 1 || b)
                        sum += weight[a][b + 1] * grid[i - 1 + a][j + b];
                for (short b = 0; b < 3; b += 1)
                    other += weight[a][b] * by_rows[i + a - 1][j - 1 + b];
            }
            to[i][j] = sum + weight[1][1] * grid[i][j];
            flat_to[i * WIDE + j] = other;
        }
}

static __attribute__((noinline)) void along_a_line(int lo, int hi)
{
    int i;
    for (i = lo; i < hi; i++) {
        int sum = 0;
        for (int k = 0; k < 5; k++)
            sum += (k + 1) * line[i + k] - line[i - k] + cyclic[i + k];
        for (int k = 0; k < 7; k += 3)
            sum += line[i + 2 * k];
        line_to[i] = sum;
    }
    expect("index", i, hi > lo ? hi : lo);
    for (volatile int j = lo; j < hi; j++) {
        int sum = 0;
        for (volatile int k = 0; k < 5; k++)
            sum += (k + 1) * ((j + k) % 1009) - (j - k) % 1009 + (j + k) % 1009;
        for (volatile int k = 0; k < 7; k += 3)
            sum += (j + 2 * k) % 1009;
        expect("along a line", line_to[j], sum);
    }
}

static __attribute__((noinline)) void in_records(int lo, int hi)
{
    for (int i = lo; i < hi; i++) {
        for (int d = 0; d < 3; d++)
            cells[i].n += cells[i].x[d] + cells[i + d].x[0];
        for (int d = 0; d < 3; d++)
            cells[i].x[d]++;
    }
    for (volatile int i = lo; i < hi; i++)
        expect("in records", cells[i].n, 6 * i + 6);
    for (volatile int i = lo; i < hi; i++) {
        cells[i].n = 0;
        for (int d = 0; d < 3; d++)
            cells[i].x[d]--;
    }
}

/* Names of the inner loops that mean something else behind them, or change. */
static __attribute__((noinline)) void names(int lo, int hi)
{
    long sum = 0, other = 0;
    for (int i = lo; i < hi; i++) {
        int k = 9;
        for (int k = 0; k < 3; k++)
            sum += line[i + k];
        sum += line[i + k];
        for (int j = 0; j < 3; j++) {
            int j = 20;
            sum += line[i + j];
        }
    }
    for (volatile int i = lo; i < hi; i++)
        other += 3 * i + 3 + i + 9 + 3 * (i + 20);
    expect("names", sum, other);
}

int main(void)
{
    rows = HIGH * THREADS;
    all = rows * WIDE;
    fill();
    for (int lo = 1; lo < 4; lo++)
        for (int hi = WIDE - 3; hi < WIDE; hi++) {
            own_rows(lo, hi);
            check("own rows", 1, rows - 1, lo, hi);
            other_words(lo, hi);
            check("other words", 1, rows - 1, lo, hi);
        }
    if (MYTHREAD == THREADS - 1)
        for (int lo = 4; lo < 90; lo += 7)
            for (int n = 0; n < 100; n += 1 + n / 2) {
                along_a_line(lo, lo + n);
                in_records(lo, lo + n);
                names(lo, lo + n);
            }
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
