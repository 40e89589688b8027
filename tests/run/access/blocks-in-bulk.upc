// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2
//@ mappings: 1x1 3x1 2x2
// Loops that go through blocks, whosever they are: each block that is another host's in pieces.
#include "../../check.h"
#include <upc_relaxed.h>

#define B 37
#define ROWS 5
#define LARGE 20000

static shared [B] int a[ROWS * B * THREADS], b[ROWS * B * THREADS];
static shared [B] double grid[3][2 * B * THREADS];
static shared [LARGE] int large[LARGE * THREADS];
static shared [] int *shared scales;

static long sum(shared [B] int *p, int from, int to)
{
    long s = 0;
    for (int i = from; i < to; i++)
        s += p[i];
    return s;
}

static void fill(int from, int to, int what)
{
    int i;
    for (i = from; i < to; i++)
        a[i] = what + i;
    CHECK_EQ(i, from < to ? to : from);
}

static void combine(shared [] int *scale, int n)
{
    for (int i = 0; i < n; i++) {
        b[i] = a[i] * scale[i];
        a[i]++;
    }
}

/* Neighbours may be in the next block. */
static long steps(int n)
{
    long s = 0;
    for (int i = 1; i < n; i++)
        s += a[i] - a[i - 1];
    return s;
}

static void copied(shared [B] int *to, shared [B] int *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

static double row(int r, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (grid[r][i] > most)
            most = grid[r][i];
    return most;
}

static void clip(int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] % 3 == 0)
            a[i] = 0;
}

static void lengths(int n)
{
    int from = n / 3;
    fill(0, n, 0);
    fill(from, n, 10);
    CHECK_EQ(sum(a, 0, n), (long)n * (n - 1) / 2 + 10L * (n - from));
    CHECK_EQ(sum(a, n, 0), 0);
    CHECK_EQ(sum(a, from, n), (long)n * (n - 1) / 2 - (long)from * (from - 1) / 2 + 10L * (n - from));
    fill(0, n, 5);
    combine(scales, n);
    CHECK_EQ(steps(n), n ? n - 1 : 0);
    for (int i = 0; i < n; i++) {
        CHECK_EQ(a[i], 6 + i);
        CHECK_EQ(b[i], (5 + i) * (i % 7));
    }
    copied(b, a, n);
    copied(a, a, n);
    CHECK_EQ(sum(b, 0, n), sum(a, 0, n));
    clip(n);
    for (int i = 0; i < n; i++)
        CHECK_EQ(a[i], (6 + i) % 3 ? 6 + i : 0);
}

int main(void)
{
    int all = ROWS * B * THREADS;
    if (MYTHREAD == 0) {
        scales = upc_alloc((size_t)all * sizeof(int));
        for (int i = 0; i < all; i++)
            scales[i] = i % 7;
    }
    upc_forall (int i = 0; i < LARGE * THREADS; i++; &large[i])
        large[i] = i;
    upc_forall (int i = 0; i < 2 * B * THREADS; i++; &grid[0][i]) {
        grid[0][i] = 1;
        grid[1][i] = i;
        grid[2][i] = -i;
    }
    upc_barrier;
    long s = 0;
    for (int i = 0; i < LARGE * THREADS; i++)
        s += large[i];
    CHECK_EQ(s, (long)LARGE * THREADS * (LARGE * THREADS - 1) / 2);
    CHECK(row(0, B + 1) == 1);
    CHECK(row(1, 2 * B * THREADS) == 2 * B * THREADS - 1);
    CHECK(row(2, B) == 0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        int n[] = {0, 1, 3, 4, B - 1, B, B + 1, 2 * B + 5, all - 1, all};
        for (unsigned i = 0; i < sizeof n / sizeof *n; i++)
            if (n[i] <= all)
                lengths(n[i]);
    }
    upc_barrier;
    return check_done();
}
