// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 3x1 2:2x1 2:2x2
//@ flags: -O3
// Flat matrices: the elements above and below are a constant number of elements away, farther than neighbours
// of a row, and not all in the block.
#include "../hosts/expect.h"
#include <upc_relaxed.h>

enum { COLUMNS = 100, ROWS = 12, OWN = ROWS * COLUMNS };

static shared [OWN] int a[OWN * THREADS], b[OWN * THREADS];
static shared [COLUMNS + 30] int narrow[(COLUMNS + 30) * 8 * THREADS];
static shared [2 * OWN] struct { int n, m; } pairs[2 * OWN * THREADS];
static shared int cyclic[OWN * THREADS];
static int n, n_narrow;

static int value(int i)
{
    return 7 * i + i % 13;
}

static void expect_sums(const char *what, int n, int from, int to, int step, int by, int ahead)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int is_in = i >= from && i < to && (i - from) % step == 0;
        int sum = value(i + ahead - by) + value(i + ahead + by) + value(i - 1);
        expect(what, b[i], is_in ? sum : 0);
    }
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &b[i])
        b[i] = 0;
    upc_barrier;
}

static void sums(void)
{
    upc_forall (int i = 0; i < n; i++; &a[i]) {
        int row = i / COLUMNS;
        if (row > 0 && row < n / COLUMNS - 1)
            b[i] = a[i - COLUMNS] + a[i + COLUMNS] + a[i - 1];
    }
    expect_sums("a row up and down", n, COLUMNS, n - COLUMNS, 1, COLUMNS, 0);
    upc_forall (int i = n - COLUMNS - 1; i >= COLUMNS; i--; &a[i])
        b[i] = a[i - COLUMNS] + a[i + COLUMNS] + a[i - 1];
    expect_sums("downwards", n, COLUMNS, n - COLUMNS, 1, COLUMNS, 0);
    upc_forall (long i = 700; i < n - 700; i += 3; &b[i])
        b[i] = a[i - 700] + a[i + 700] + a[i - 1];
    expect_sums("half a block", n, 700, n - 700, 3, 700, 0);
    upc_forall (unsigned i = 1100; i < n - 1100u; i++; &b[i])
        b[i] = a[i - 1100] + a[i + 1100] + a[i - 1];
    expect_sums("most of a block", n, 1100, n - 1100, 1, 1100, 0);
    upc_forall (int i = COLUMNS; i < n - 5 * COLUMNS; i++; &a[i + 2 * COLUMNS])
        b[i] = a[i + COLUMNS] + a[i + 3 * COLUMNS] + a[i - 1];
    expect_sums("by another element", n, COLUMNS, n - 5 * COLUMNS, 1, COLUMNS, 2 * COLUMNS);
    if (MYTHREAD == THREADS - 1)
        for (int i = COLUMNS; i < n - COLUMNS; i++)
            b[i] = a[i - COLUMNS] + a[i + COLUMNS] + a[i - 1];
    expect_sums("all by one", n, COLUMNS, n - COLUMNS, 1, COLUMNS, 0);
    shared [OWN] int *p = a;
    upc_forall (int i = COLUMNS; i < n - COLUMNS; i++; p + i)
        b[i] = p[i - COLUMNS] + *(p + i + COLUMNS) + p[i - 1];
    expect_sums("by a pointer", n, COLUMNS, n - COLUMNS, 1, COLUMNS, 0);
    upc_forall (int i = COLUMNS; i < n_narrow - COLUMNS; i++; &narrow[i])
        b[i] = narrow[i - COLUMNS] + narrow[i + COLUMNS] + narrow[i - 1];
    expect_sums("hardly in the block", n_narrow, COLUMNS, n_narrow - COLUMNS, 1, COLUMNS, 0);
    upc_forall (int i = COLUMNS; i < n - COLUMNS; i++; &cyclic[i])
        b[i] = cyclic[i - COLUMNS] + cyclic[i + COLUMNS] + cyclic[i - 1];
    expect_sums("cyclic", n, COLUMNS, n - COLUMNS, 1, COLUMNS, 0);
    upc_forall (int i = COLUMNS; i < n - COLUMNS; i++; &pairs[2 * i].n)
        b[i] = pairs[2 * i - 2 * COLUMNS].n + pairs[2 * i + 2 * COLUMNS].m + pairs[2 * i - 2].n;
    expect_sums("every other", n, COLUMNS, n - COLUMNS, 1, COLUMNS, 0);
}

/* Each iteration needs what an earlier one has made. */
static void in_order(void)
{
    if (MYTHREAD == 0)
        for (int i = COLUMNS; i < n; i++)
            b[i] = b[i - COLUMNS] + 1 + b[i - 1] % 2;
    upc_barrier;
    int before[COLUMNS] = {0}, last = 0;
    for (int i = COLUMNS; i < n; i++) {
        last = before[i % COLUMNS] + 1 + last % 2;
        before[i % COLUMNS] = last;
        expect("in order", b[i], last);
    }
}

int main(void)
{
    n = OWN * THREADS;
    n_narrow = (COLUMNS + 30) * 8 * THREADS;
    upc_forall (int i = 0; i < n; i++; &a[i])
        a[i] = value(i);
    upc_forall (int i = 0; i < n; i++; &cyclic[i])
        cyclic[i] = value(i);
    upc_forall (int i = 0; i < n_narrow; i++; &narrow[i])
        narrow[i] = value(i);
    upc_forall (int i = 0; i < 2 * n; i++; &pairs[i])
        pairs[i].n = pairs[i].m = value(i / 2);
    upc_barrier;
    sums();
    in_order();
    return done();
}
