// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Matrices that are kept in arrays of one dimension: loops along a row reach the rows next to it, which may
// be in one block, or in two.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { COLUMNS = 24, ROWS = 6 /* of each thread */, OWN = ROWS * COLUMNS };

static shared [OWN] int to[OWN * THREADS], whole[OWN * THREADS];
static shared [COLUMNS] int by_rows[OWN * THREADS];
static shared [31] int short_blocks[OWN * THREADS];
static shared [47] int across[OWN * THREADS];

static int rows, columns = COLUMNS;

static int value(int i, int j)
{
    return 7 * i + j * j % 11;
}

static int around(int i, int j)
{
    return value(i - 1, j) + 2 * value(i + 1, j) + 3 * value(i, j - 1) - value(i, j + 1);
}

static __attribute__((noinline)) void fill(void)
{
    upc_barrier;
    for (int i = MYTHREAD; i < rows; i += THREADS)
        for (int j = 0; j < COLUMNS; j++) {
            int at = i * COLUMNS + j;
            whole[at] = by_rows[at] = short_blocks[at] = across[at] = value(i, j);
            to[at] = 0;
        }
    upc_barrier;
}

static void check(const char *what, int lo, int hi, int step)
{
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 1; i < rows - 1; i++)
            for (int j = 0; j < COLUMNS; j++) {
                int is_there = j >= lo && j < hi && (j - lo) % step == 0;
                volatile int at = i * COLUMNS + j;
                expect(what, to[at], is_there ? around(i, j) : 0);
            }
    fill();
}

/* Own rows, whose neighbours are in the same blocks but for the first and the last. */
static __attribute__((noinline)) void own_range(int lo, int hi)
{
    int first = MYTHREAD * ROWS, end = first + ROWS;
    first += MYTHREAD == 0;
    end -= MYTHREAD == THREADS - 1;
    for (int i = first; i < end; i++)
        for (int j = lo; j < hi; j++)
            to[i * COLUMNS + j] = whole[(i - 1) * COLUMNS + j] + 2 * whole[(i + 1) * COLUMNS + j] +
                                  3 * whole[i * COLUMNS + j - 1] - whole[i * COLUMNS + j + 1];
}

/* The same by a length that only the running program knows, in other blocks. */
static __attribute__((noinline)) void other_blocks(int n, int lo, int hi)
{
    int i, j = -1;
    upc_forall (i = 1; i < rows - 1; i++; i) {
        for (j = lo; j < hi; j++)
            to[i * n + j] = by_rows[(i - 1) * n + j] + 2 * short_blocks[(i + 1) * n + j] +
                            3 * across[i * n + j - 1] - across[i * n + j + 1];
        expect("index after the loop", j, hi);
    }
}

/* Elements that are all ahead of the index, or all behind it. */
static __attribute__((noinline)) void farther(int n, int lo, int hi)
{
    for (int i = 2 + MYTHREAD; i < rows - 1; i += THREADS)
        for (int j = lo; j < hi; j++)
            to[i * n + j] = across[i * n + j + 1] - across[i * n + j + 4] + 2 * short_blocks[i * n + j - 9] +
                            short_blocks[i * n + j - 7];
}

static void check_farther(int n, int lo, int hi)
{
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 2; i < rows - 1; i++)
            for (int j = lo; j < hi; j++) {
                volatile int at = i * n + j;
                expect("farther", to[at], across[at + 1] - across[at + 4] + 2 * short_blocks[at - 9] +
                                              short_blocks[at - 7]);
            }
    fill();
}

static __attribute__((noinline)) void downwards(int n, int lo, int hi)
{
    for (int i = 1 + MYTHREAD; i < rows - 1; i += THREADS)
        for (int j = hi - 1; j >= lo; j--)
            to[i * n + j] = across[(i - 1) * n + j] + 2 * whole[(i + 1) * n + j] +
                            3 * short_blocks[i * n + j - 1] - by_rows[i * n + j + 1];
}

static __attribute__((noinline)) void by_thirds(int n, int lo, int hi)
{
    for (int i = 1 + MYTHREAD; i < rows - 1; i += THREADS)
        for (int j = lo; j < hi; j += 3)
            to[i * n + j] = whole[(i - 1) * n + j] + 2 * across[(i + 1) * n + j] +
                            3 * by_rows[i * n + j - 1] - whole[i * n + j + 1];
}

/* Pointers, `skipped` elements behind an array's begin; what is before the loop's range may be before
 * the array. */
static __attribute__((noinline)) void by_pointers(shared [47] int *p, shared [31] int *q, int skipped,
                                                  int n, int lo, int hi)
{
    for (int i = 1 + MYTHREAD; i < rows - 1; i += THREADS)
        for (int j = lo; j < hi; j++)
            to[i * n + j] = p[(i - 1) * n + j - skipped] + 2 * q[(i + 1) * n + j - skipped] +
                            3 * p[i * n + j - 1 - skipped] - q[i * n + j + 1 - skipped];
}

/* A run that the loop writes is what another access of it reads. */
static __attribute__((noinline)) int chain(int n)
{
    for (int j = 1; j < n; j++)
        whole[2 * n + j] = whole[2 * n + j - 1] + by_rows[n + j] - by_rows[n + j] + 1;
    return whole[2 * n + n - 1];
}

/* Runs that begin in a block and end in the next one: by elements ahead of the index, and by neighbours on
 * both sides. */
static shared [300] int wide[600 * THREADS];
static shared [128] int narrow[512 * THREADS];

static __attribute__((noinline)) int one_ahead(int lo, int hi)
{
    int sum = 0;
    for (int j = lo; j < hi; j++)
        sum += wide[j] + narrow[j + 1];
    return sum;
}

static __attribute__((noinline)) int both_sides(int lo, int hi)
{
    int sum = 0;
    for (int j = lo; j < hi; j++)
        sum += wide[j] + narrow[j - 2] + 3 * narrow[j + 3];
    return sum;
}

static __attribute__((noinline)) int from_inside(shared [128] int *p, int lo, int hi)
{
    int sum = 0;
    for (int j = lo; j < hi; j++)
        sum += wide[j] + p[j] + p[j + 1];
    return sum;
}

static void check_ends_of_blocks(void)
{
    for (int i = MYTHREAD; i < 512 * THREADS; i += THREADS) {
        narrow[i] = i * i % 101;
        wide[i] = 0;
    }
    upc_barrier;
    for (int lo = 120; lo < 136; lo++)
        for (int hi = lo; hi < lo + 12; hi++) {
            int ahead = 0, sides = 0, inside = 0;
            for (volatile int j = lo; j < hi; j++) {
                ahead += narrow[j + 1];
                sides += narrow[j - 2] + 3 * narrow[j + 3];
                inside += narrow[j + 5] + narrow[j + 6];
            }
            expect("one ahead", one_ahead(lo, hi), ahead);
            expect("on both sides", both_sides(lo, hi), sides);
            expect("from inside a block", from_inside(narrow + 5, lo, hi), inside);
        }
    upc_barrier;
}

int main(void)
{
    rows = ROWS * THREADS;
    fill();
    own_range(1, COLUMNS - 1);
    check("own range", 1, COLUMNS - 1, 1);
    own_range(3, 17);
    check("part of a row", 3, 17, 1);
    for (int lo = 1; lo < 5; lo++)
        for (int hi = COLUMNS - 5; hi < COLUMNS; hi++) {
            other_blocks(columns, lo, hi);
            check("other blocks", lo, hi, 1);
            farther(columns, lo, hi - 3);
            check_farther(columns, lo, hi - 3);
        }
    downwards(columns, 1, COLUMNS - 1);
    check("downwards", 1, COLUMNS - 1, 1);
    by_thirds(columns, 1, COLUMNS - 1);
    check("by thirds", 1, COLUMNS - 1, 3);
    for (int skipped = 0; skipped < 9; skipped++)
        for (int lo = 1; lo < 14; lo += 4) {
            by_pointers(across + skipped, short_blocks + skipped, skipped, columns, lo, lo + 9);
            check("by pointers", lo, lo + 9, 1);
        }
    if (MYTHREAD == THREADS - 1)
        expect("a chain", chain(columns), value(2, 0) + COLUMNS - 1);
    check_ends_of_blocks();
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
