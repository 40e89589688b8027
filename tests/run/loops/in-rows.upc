// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops whose arrays are pointers into the middle of a row of blocks, or of a block: each iteration is made
// once, by the thread it belongs to, whether the pointers are at the same place of their rows or not.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 240, ROW = 4 };

static shared [BLOCK] int blocked[N * THREADS], from[N * THREADS];
static shared int cyclic[N * THREADS], next[N * THREADS];
static shared [2 * ROW] int rows[N * THREADS][ROW];
static int n;

/* Not known to the compiler. */
static __attribute__((noinline)) int owner_of(int element, int block)
{
    return element / block % THREADS;
}

static __attribute__((noinline)) void own(shared [BLOCK] int *p, int start, int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &p[i])
        p[i] += 1 + 1000 * (owner_of(start + i, BLOCK) - MYTHREAD);
    expect("index after the loop", i, n);
    upc_forall (i = n - 1; i >= 0; i--; p + i)
        p[i] += 10 + 1000 * (owner_of(start + i, BLOCK) - MYTHREAD);
    upc_forall (i = 1; i < n; i += 3; &p[i])
        p[i] += 100 + 1000 * (owner_of(start + i, BLOCK) - MYTHREAD);
    for (i = 0; i < n; i++)
        if (upc_threadof(&p[i]) == MYTHREAD)
            p[i] += 5 + 1000 * (owner_of(start + i, BLOCK) - MYTHREAD);
}

static __attribute__((noinline)) void own_cyclic(shared int *p, int start, int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &p[i])
        p[i] += 1 + 1000 * (owner_of(start + i, 1) - MYTHREAD);
    upc_forall (i = n - 1; i >= 0; i--; p + i)
        p[i] += 10 + 1000 * (owner_of(start + i, 1) - MYTHREAD);
    upc_forall (i = 1; i < n; i += 3; &p[i])
        p[i] += 100 + 1000 * (owner_of(start + i, 1) - MYTHREAD);
    upc_barrier;
    for (i = MYTHREAD; i < n; i += THREADS)
        p[i] += 5;
}

/* Elements of rows, of which a thread has two. */
static __attribute__((noinline)) void own_rows(shared [2 * ROW] int (*p)[ROW], int start, int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &p[i][0])
        for (int j = 0; j < ROW; j++)
            p[i][j] += 16 + (i % 3 == 1 ? 100 : 0) + 1000 * (owner_of(start + i, 2) - MYTHREAD);
}

/* With neighbours, and another array, whose rows may begin elsewhere. */
static __attribute__((noinline)) void beside(shared [BLOCK] int *p, shared [BLOCK] const int *q, int n)
{
    int i;
    upc_forall (i = 1; i < n - 1; i++; &p[i])
        p[i] = q[i - 1] + q[i] + q[i + 1];
}

static __attribute__((noinline)) void beside_cyclic(shared int *p, shared const int *q, int n)
{
    int i;
    upc_forall (i = 1; i < n - 1; i++; &p[i])
        p[i] = q[i - 1] + q[i] + q[i + 1];
}

static __attribute__((noinline)) void beside_array(shared [BLOCK] int *p, int n)
{
    int i;
    upc_forall (i = 1; i < n - 1; i++; &p[i])
        p[i] = from[i - 1] + from[i] + from[i + 1];
}

/* All by each thread. */
static __attribute__((noinline)) long sum(shared [BLOCK] const int *p, shared [BLOCK] const int *q, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i] - 2 * q[i];
    return sum;
}

static int expected(int i, int start, int n)
{
    int at = i - start;
    return at < 0 || at >= n ? 0 : 16 + (at % 3 == 1 ? 100 : 0);
}

static void clear(void)
{
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS) {
        blocked[i] = cyclic[i] = 0;
        for (int j = 0; j < ROW; j++)
            rows[i][j] = 0;
    }
    upc_barrier;
}

static void expect_own(int start, int n_own)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        expect("blocked", blocked[i], expected(i, start, n_own));
        expect("cyclic", cyclic[i], expected(i, start, n_own));
        for (int j = 0; j < ROW; j++)
            expect("rows", rows[i][j], expected(i, start, n_own));
    }
    clear();
}

static void expect_beside(int start, int other, int n_own)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int is_made = i > start && i < start + n_own - 1, value = 3 * (i - start + other);
        expect("neighbours", blocked[i], is_made ? value : 0);
        expect("cyclic neighbours", cyclic[i], is_made ? value : 0);
    }
    clear();
}

int main(void)
{
    static const int starts[] = {0, 1, 7, BLOCK, BLOCK + 5, 3 * BLOCK, 3 * BLOCK + 11};
    int n_starts = sizeof starts / sizeof starts[0];
    n = N * THREADS;
    for (int i = MYTHREAD; i < n; i += THREADS)
        from[i] = next[i] = i;
    clear();
    for (int s = 0; s < n_starts; s++) {
        int start = starts[s], n_own = n - start - s;
        own(blocked + start, start, n_own);
        own_cyclic(&cyclic[start], start, n_own);
        own_rows(&rows[start], start, n_own);
        expect_own(start, n_own);
        for (int t = 0; t < n_starts; t++) {
            int other = starts[t], n_both = n - (start > other ? start : other);
            beside(&blocked[start], &from[other], n_both);
            beside_cyclic(cyclic + start, next + other, n_both);
            expect_beside(start, other, n_both);
            long sum_of_both = (long)n_both * (start - 2 * other) - (long)n_both * (n_both - 1) / 2;
            expect("sum", sum(&from[start], &from[other], n_both) == sum_of_both, 1);
        }
        beside_array(blocked + start, n - start);
        beside_cyclic(cyclic + start, next, n - start);
        expect_beside(start, 0, n - start);
    }
    return MYTHREAD == 0 ? done() : wrong;
}
