// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops whose subscripts wrap around: neighbours on a ring, by %, by conditions, and by variables of the body.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 240, ROW = 6, WIDE = 20 };

static shared [BLOCK] int to[N * THREADS], from[N * THREADS];
static shared int cyclic[N * THREADS], next[N * THREADS];
static shared [2 * ROW] int rows[N * THREADS][ROW], others[N * THREADS][ROW];
static int n, all;

/* Not known to the compiler. */
static __attribute__((noinline)) int element(int i, int n)
{
    return (i % n + n) % n;
}

static void expect_sums(const char *what, int n, int before, int after)
{
    upc_barrier;
    for (int i = 0; i < all; i++)
        expect(what, to[i], i < n ? element(i - before, n) + 3 * element(i + after, n) : -1);
    upc_barrier;
    for (int i = MYTHREAD; i < all; i += THREADS)
        to[i] = -1;
    upc_barrier;
}

static __attribute__((noinline)) void by_remainders(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[(i + n - 1) % n] + 3 * from[(i + 1) % n];
    expect_sums("remainders", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[(i - 1 + n) % n] + 3 * from[(1 + i) % n];
    expect_sums("other sums", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[(i + (n - 2)) % n] + 3 * from[(i + 5 + n) % n];
    expect_sums("further away", n, 2, 5);
    upc_forall (i = n - 1; i >= 0; i--; &to[i])
        to[i] = from[(n + i - 20) % n] + 3 * from[i % n];
    expect_sums("downwards, beyond a block", n, 20, 0);
    long l;
    upc_forall (l = 0; l < n; l++; &to[l])
        to[l] = from[(l + (size_t)n - 1) % n] + 3 * from[(l + 1ul) % n];
    expect_sums("unsigned", n, 1, 1);
    for (i = 0; i < n; i++)
        if (upc_threadof(&to[i]) == MYTHREAD)
            to[i] = from[(i - 1 + n) % n] + 3 * from[(i + 1) % n];
    expect_sums("asked", n, 1, 1);
    if (MYTHREAD == THREADS - 1)
        for (i = 0; i < n; i++)
            to[i] = from[(i - 1 + n) % n] + 3 * from[(i + 1) % n];
    expect_sums("by one thread", n, 1, 1);
}

static __attribute__((noinline)) void by_conditions(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[i == 0 ? n - 1 : i - 1] + 3 * from[i == n - 1 ? 0 : i + 1];
    expect_sums("equal", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[i > 0 ? i - 1 : n - 1] + 3 * from[i + 1 < n ? i + 1 : 0];
    expect_sums("less and greater", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[i ? i - 1 : n - 1] + 3 * from[n - 1 != i ? i + 1 : 0];
    expect_sums("not zero", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[1 > i ? n - 1 : i - 1] + 3 * from[n <= i + 1 ? 0 : i + 1];
    expect_sums("the other way", n, 1, 1);
    unsigned u = n;
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[i >= 1 ? i - 1 : n - 1] + 3 * from[i - 1 < u - 2 || i == 0 ? i + 1 : 0];
    expect_sums("unsigned bounds", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i])
        to[i] = from[i - 1 < u ? i - 1 : u - 1] + 3 * from[i + 1 >= u ? 0 : i + 1];
    expect_sums("an unsigned comparison", n, 1, 1);
}

static __attribute__((noinline)) void by_names(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &to[i]) {
        int left = (i + n - 1) % n, right = i == n - 1 ? 0 : i + 1;
        to[i] = from[left] + 3 * from[right];
    }
    expect_sums("names", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i]) {
        int here = i, left = here - 1, right = here + 1;
        if (left < 0)
            left = n - 1;
        if (right >= n)
            right -= n;
        to[here] = from[left] + 3 * from[right];
    }
    expect_sums("names that change", n, 1, 1);
    upc_forall (i = 0; i < n; i++; &to[i]) {
        const int at = i;
        to[at] = from[at];
        for (int j = 0; j < 2; j++) {
            int right = at + 1, wrapped = right % n;
            to[i] += j * 3 * from[wrapped];
        }
    }
    expect_sums("names in a loop inside", n, 0, 1);
}

/* The ring begins inside a block, so that what is before it can be found. */
#define RING(name, left, right)                                                                    \
    static __attribute__((noinline)) void name(shared [BLOCK] int *p, shared [BLOCK] const int *q, \
                                               int start, int n)                                   \
    {                                                                                              \
        int i;                                                                                     \
        unsigned u = n;                                                                            \
        upc_forall (i = 0; i < n; i++; &p[i])                                                      \
            p[i] = q[left] + 3 * q[right];                                                         \
        upc_barrier;                                                                               \
        for (i = 0; i < n; i++)                                                                    \
            expect(#name, p[i], 4 * start + element(i - 1, n) + 3 * element(i + 1, n));            \
        upc_barrier;                                                                               \
        for (i = MYTHREAD; i < all; i += THREADS)                                                  \
            to[i] = -1;                                                                            \
        upc_barrier;                                                                               \
        (void)u;                                                                                   \
    }
RING(remainders_inside, (i - 1 + n) % n, (i + 1) % n)
RING(equal_inside, i == 0 ? n - 1 : i - 1, i + 1 == n ? 0 : i + 1)
RING(less_inside, i > 0 ? i - 1 : n - 1, i < n - 1 ? i + 1 : 0)
RING(unsigned_inside, i - 1 < u ? i - 1 : u - 1, i + 1 < u ? i + 1 : 0)

static void inside_a_block(int start, int n)
{
    remainders_inside(to + start, from + start, start, n);
    equal_inside(to + start, from + start, start, n);
    less_inside(to + start, from + start, start, n);
    unsigned_inside(to + start, from + start, start, n);
}

static void cyclic_and_rows(void)
{
    int i, j;
    upc_forall (i = 0; i < all; i++; &cyclic[i])
        cyclic[i] = next[(i + all - 1) % all] + 3 * next[(i + 1) % all];
    upc_forall (i = 0; i < all; i++; &rows[i][0])
        for (j = 0; j < ROW; j++)
            rows[i][j] = others[(i + 1) % all][j] + 3 * others[(i + all - 1) % all][(j + 1) % ROW];
    upc_barrier;
    for (i = 0; i < all; i++) {
        expect("cyclic", cyclic[i], element(i - 1, all) + 3 * element(i + 1, all));
        for (j = 0; j < ROW; j++)
            expect("rows", rows[i][j],
                   element(i + 1, all) + j + 3 * (element(i - 1, all) + element(j + 1, ROW)));
    }
    upc_barrier;
}

static shared [4 * WIDE] int grid[N * THREADS][WIDE], old[N * THREADS][WIDE];

/* Rows that wrap around as well as their elements, by names of the inner loop's body. */
static __attribute__((noinline)) void on_a_torus(int begin, int end)
{
    for (int i = begin; i < end; i++)
        for (int j = 0; j < WIDE; j++) {
            int up = (i + N * THREADS - 1) % (N * THREADS), down = (i + 1) % (N * THREADS);
            int left = (j + WIDE - 1) % WIDE, right = j == WIDE - 1 ? 0 : j + 1;
            grid[i][j] = old[up][left] + 3 * old[up][j] + 5 * old[down][right] -
                         old[i][left] - 7 * old[down][j];
        }
    upc_barrier;
    for (int i = begin; i < end; i++)
        for (int j = 0; j < WIDE; j++) {
            int up = element(i - 1, all), down = element(i + 1, all);
            int left = element(j - 1, WIDE), right = element(j + 1, WIDE);
            expect("on a torus", grid[i][j],
                   up + left + 3 * (up + j) + 5 * (down + right) - (i + left) - 7 * (down + j));
        }
    upc_barrier;
}

int main(void)
{
    all = N * THREADS;
    for (int i = MYTHREAD; i < all; i += THREADS) {
        from[i] = next[i] = i;
        to[i] = -1;
        for (int j = 0; j < ROW; j++)
            others[i][j] = i + j;
        for (int j = 0; j < WIDE; j++)
            old[i][j] = i + j;
    }
    upc_barrier;
    static const int shorter[] = {0, 1, 7, BLOCK, 100};
    for (int s = 0; s < 5; s++) {
        n = all - shorter[s];
        by_remainders(n);
        by_conditions(n);
        by_names(n);
    }
    inside_a_block(5, all - 20);
    inside_a_block(BLOCK + 1, 100);
    cyclic_and_rows();
    on_a_torus(MYTHREAD * N, MYTHREAD * N + N);
    on_a_torus(MYTHREAD * N, MYTHREAD * N + 1);
    return MYTHREAD == 0 ? done() : wrong;
}
