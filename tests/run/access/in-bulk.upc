// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2
//@ mappings: 1x1 3x1 2x2
// Loops that read a range of one thread's memory: of any length, from either side of a piece's end.
#include "../../check.h"
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 5000

static shared [] int *shared ints[THREADS];
static shared [] double *shared doubles[THREADS];

static long sum(shared [] int *p, int from, int to)
{
    long s = 0;
    for (int i = from; i < to; i++)
        s += p[i];
    return s;
}

static long backwards(shared [] int *p, int n)
{
    long s = 0;
    for (int i = n - 1; i >= 0; i--)
        s = s * 3 + p[i];
    return s;
}

static double products(shared [] double *p, shared [] int *q, long n)
{
    double s = 0;
    long i;
    for (i = 1; i <= n; i++) {
        double left = p[i - 1], right = p[i + 1];
        s += (right - left) * q[i];
    }
    CHECK_EQ(i, n < 1 ? 1 : n + 1);
    return s;
}

/* The rest may not be read, or is another element's. */
static int until(shared [] int *p, int n, int what)
{
    int i;
    for (i = 0; i < n; i++) {
        if (p[i] == what)
            break;
    }
    return i;
}

static void increment(shared [] int *p, int n)
{
    for (int i = 1; i < n; i++)
        p[i] = p[i - 1] + 1;
}

static void copied(int *to, shared [] int *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = p[i] + p[i];
}

/* `here` is this thread's memory, and changes under the loop. */
static void running(shared [] int *here, shared [] int *far, int n)
{
    int *mine = (int *)here;
    for (int i = 0; i < n; i++)
        mine[i + 1] = here[i] + far[i];
}

int main(void)
{
    static int copy[N];
    ints[MYTHREAD] = upc_alloc((N + 2) * sizeof(int));
    doubles[MYTHREAD] = upc_alloc((N + 2) * sizeof(double));
    for (int i = 0; i < N + 2; i++) {
        ints[MYTHREAD][i] = i + MYTHREAD;
        doubles[MYTHREAD][i] = 0.5 * i;
    }
    upc_barrier;
    int next = (MYTHREAD + THREADS - 1) % THREADS;
    shared [] int *p = ints[next];
    shared [] double *d = doubles[next];
    static const int lengths[] = {0, 1, 3, 4, 5, 1364, 1365, 1366, 4095, 4096, 4097, N};
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        long n = lengths[l];
        CHECK_EQ(sum(p, 0, (int)n), n * (n - 1) / 2 + n * next);
        CHECK_EQ(sum(p + 10, -10, (int)n - 10), n * (n - 1) / 2 + n * next);
        CHECK_EQ(sum(p, (int)n, 2), n == 0 ? 1 + 2 * next : n == 1 ? 1 + next : 0);
        CHECK(products(d, p, n) == (double)(n * (n + 1) / 2 + n * next));
        copied(copy, p, (unsigned)n);
        for (int i = 0; i < n; i++)
            CHECK_EQ(copy[i], 2 * (i + next));
    }
    CHECK_EQ(backwards(p, 3), ((2L + next) * 3 + 1 + next) * 3 + next);
    CHECK_EQ(until(p, 2000000000, next + 4500), 4500);
    upc_barrier;
    increment(p, 1000);
    upc_barrier;
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(ints[MYTHREAD][i], i + MYTHREAD);
    upc_barrier;
    shared [] int *row = upc_alloc((N + 1) * sizeof(int));
    row[0] = 7;
    running(row, p, N);
    /* Where all memory counts as another host's, no private pointer may write it meanwhile. */
    for (int i = 0; i <= N && !getenv("FURLONG_ALL_REMOTE"); i++)
        CHECK_EQ(row[i], 7 + i * (i - 1) / 2 + i * next);
    return check_done();
}
