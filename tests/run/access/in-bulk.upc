// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2
//@ mappings: 1x1 3x1 2x2
// Loops that read or write a range of one thread's memory: of any length, from either side of a
// piece's end.
#include "../../check.h"
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 17000

static shared [] int *shared ints[THREADS];
static shared [] double *shared doubles[THREADS];

struct point {
    int x, y;
};
static shared [] struct point *shared points[THREADS];
static shared [] int table[3][N];

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

/* Not each element is written: the others may not be, not even with what they hold. */
static void clip(shared [] int *p, int n, int least)
{
    for (int i = 0; i < n; i++)
        if (p[i] < least)
            p[i] = least;
}

static int clipped(shared [] int *p, int n, int most)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        if (p[i] > most && p[i] % 2)
            found = p[i];
    return found;
}

static void set(shared [] int *to, int n, int what)
{
    int i;
    for (i = 0; i < n; i++)
        to[i] = what + i;
    CHECK_EQ(i, n);
}

/* `to` and `from` may overlap: then each iteration sees what the one before wrote. */
static void moved(shared [] int *to, shared [] int *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

static void changed(shared [] int *p, int n)
{
    for (int i = 0; i < n; i++) {
        int old = p[i]++;
        p[i] += old;
        p[i] = p[i] % 2 ? p[i] : -p[i];
    }
}

/* The later write of an element counts. */
static void twice(shared [] int *p, shared [] int *q, int n)
{
    for (int i = 0; i < n; i++) {
        p[i] = 1;
        q[i] = 2;
    }
}

static void fill(int row, int n)
{
    for (int i = 0; i < n; i++)
        table[row][i] = table[row - 1][i] + row;
}

static long members(shared [] struct point *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += 3L * p[i].x + p[i].y;
    return s;
}

static int copy[N + 3];

/* Has `p`, from its element 0 on, these values for each i? */
#define EXPECT(p, n, value)                                                                        \
    do {                                                                                           \
        upc_memget(copy, (p), (size_t)(n) * sizeof *copy);                                         \
        for (int i = 0; i < (n); i++)                                                              \
            CHECK_EQ(copy[i], (value));                                                            \
    } while (0)

static void one_by_one(shared [] int *q, int n)
{
    q[0] = -7;
    moved(q + 1, q, n);
    EXPECT(q, n + 1, i - 7);
    moved(q, q + 1, n);
    EXPECT(q, n, i - 5);
    set(q, n + 1, 0);
    moved(q, q, n);
    EXPECT(q, n + 1, i < n ? i + 1 : i);
    twice(q, q + 1, n);
    EXPECT(q, n + 1, n == 0 ? 0 : i < n ? 1 : 2);
    set(q, n, -3);
    clip(q, n, 2);
    EXPECT(q, n, i - 3 < 2 ? 2 : i - 3);
}

static void writes(int next)
{
    static shared [] int *shared all[THREADS];
    static const int lengths[] = {0, 1, 4, 5, 65, 8191, 8192, 8193, 16384, 16385, N};
    all[MYTHREAD] = upc_alloc((N + 3) * sizeof(int));
    upc_barrier;
    shared [] int *q = all[next];
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int n = lengths[l];
        set(q, 1, -7);
        set(q + n + 1, 1, -7);
        set(q + 1, n, MYTHREAD);
        EXPECT(q, n + 2, i == 0 || i == n + 1 ? -7 : MYTHREAD + i - 1);
        changed(q + 1, n);
        EXPECT(q, n + 2, i == 0 || i == n + 1 ? -7 : 2 * (MYTHREAD + i - 1) + 1);
        set(q, n, 0);
        CHECK_EQ(clipped(q, n, 20), n < 22 ? 0 : n % 2 ? n - 2 : n - 1);
        if (n < 100)
            one_by_one(q, n);
    }
    if (MYTHREAD == THREADS - 1) {
        fill(1, N);
        fill(2, N);
        EXPECT(&table[2][0], N, 3);
    }
}

int main(void)
{
    ints[MYTHREAD] = upc_alloc((N + 2) * sizeof(int));
    doubles[MYTHREAD] = upc_alloc((N + 2) * sizeof(double));
    for (int i = 0; i < N + 2; i++) {
        ints[MYTHREAD][i] = i + MYTHREAD;
        doubles[MYTHREAD][i] = 0.5 * i;
    }
    points[MYTHREAD] = upc_alloc(N * sizeof(struct point));
    for (int i = 0; i < N; i++) {
        points[MYTHREAD][i].x = i;
        points[MYTHREAD][i].y = MYTHREAD;
    }
    upc_barrier;
    int next = (MYTHREAD + THREADS - 1) % THREADS;
    shared [] int *p = ints[next];
    shared [] double *d = doubles[next];
    static const int lengths[] = {0, 1, 3, 4, 5, 5460, 5461, 5462, 16383, 16384, 16385, N};
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
    CHECK_EQ(members(points[next], N), 3L * N * (N - 1) / 2 + (long)N * next);
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
    upc_barrier;
    writes(next);
    return check_done();
}
