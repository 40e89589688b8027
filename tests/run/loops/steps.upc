// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ not-checked: two threads write the same value at the same time
//@ flags: -O3
// Loops by larger steps, downwards, beside the element that has the affinity, and with subscripts that are
// computed as those of a matrix: each iteration is made once, in order, by the thread it belongs to.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 504, COLUMNS = 6 };

static shared [BLOCK] int blocked[N * THREADS], from[N * THREADS];
static shared int cyclic[N * THREADS], next[N * THREADS];
static shared [COLUMNS] int rows[N * THREADS];
static int n, last;

/* Not known to the compiler. */
static __attribute__((noinline)) int owner_of(int element, int block)
{
    return element / block % THREADS;
}

static void expect_order(const char *what, int i, int is_down)
{
    expect(what, is_down ? i < last : i > last, 1);
    last = i;
}

/* The iterations lo, lo + by, ... below hi have been made: `mark` is at their elements, which are `ahead`. */
static void expect_made(const char *what, int lo, int hi, int by, int ahead)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int iteration = i - ahead;
        int is_made = iteration >= lo && iteration < hi && (iteration - lo) % by == 0;
        expect(what, blocked[i], is_made ? iteration + 1 : 0);
        expect(what, cyclic[i], 0);
    }
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS)
        blocked[i] = cyclic[i] = 0;
    upc_barrier;
}

/* The same of cyclic elements, which go where the others are looked for. */
static void expect_made_cyclic(const char *what, int lo, int hi, int by, int ahead)
{
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS) {
        blocked[i] = cyclic[i];
        cyclic[i] = 0;
    }
    expect_made(what, lo, hi, by, ahead);
}

static void by_steps(void)
{
    int i;
    last = -1;
    upc_forall (i = 1; i < n - 2; i += 2; &blocked[i]) {
        expect("owner", owner_of(i, BLOCK), MYTHREAD);
        expect_order("order of steps", i, 0);
        blocked[i] += i + 1;
    }
    expect("index of steps", i, n - 1);
    expect_made("steps of 2", 1, n - 2, 2, 0);
    upc_forall (i = 4; i <= n - 4; i += 5; &cyclic[i]) {
        expect("owner", owner_of(i, 1), MYTHREAD);
        cyclic[i] += i + 1;
    }
    expect_made_cyclic("steps of 5", 4, n - 3, 5, 0);
    for (i = 2; i < n - 1; i += 3) {
        if (upc_threadof(&blocked[i]) != MYTHREAD)
            continue;
        expect("owner", owner_of(i, BLOCK), MYTHREAD);
        blocked[i] += i + 1;
    }
    expect_made("steps of 3, asked", 2, n - 1, 3, 0);
    if (MYTHREAD == 0) {
        for (i = 3; i < n - 1; i += 4)
            blocked[i] = from[i + 1] - from[i - 1] + i - 3;
        expect("index of one thread's", i, 3 + (n - 4 + 3) / 4 * 4);
    }
    expect_made("steps of 4, by one thread", 3, n - 1, 4, 0);
    upc_forall (i = 2; i < n - 2; i += 4; &blocked[i]) /* near the ends of blocks, too */
        blocked[i] += from[i - 2] / 2 + from[i + 2] / 2 - from[i] + i + 1;
    expect_made("steps with neighbours", 2, n - 2, 4, 0);
    upc_forall (i = 0; i < 1; i += 7; &blocked[i])
        blocked[i] += 1;
    expect_made("one step", 0, 1, 7, 0);
}

static void downwards(void)
{
    int i;
    last = n;
    upc_forall (i = n - 3; i >= 5; i--; &blocked[i]) {
        expect("owner", owner_of(i, BLOCK), MYTHREAD);
        expect_order("order downwards", i, 1);
        blocked[i] += i + 1;
    }
    expect("index downwards", i, 4);
    expect_made("downwards", 5, n - 2, 1, 0);
    last = n;
    upc_forall (i = n - 1; i > 0; i--; i) {
        expect("owner", owner_of(i, 1), MYTHREAD);
        expect_order("order of cyclic ones", i, 1);
        cyclic[i] += i + 1;
    }
    expect_made_cyclic("cyclic, downwards", 1, n, 1, 0);
    upc_forall (i = n - 2; i > 0; i--; &blocked[i])
        blocked[i] += from[i + 1] / 2 + from[i - 1] / 2 - from[i] + i + 1;
    expect_made("downwards with neighbours", 1, n - 1, 1, 0);
}

static void beside(void)
{
    int i, far = THREADS;
    upc_forall (i = 0; i < n - 1; i++; &blocked[i + 1]) {
        expect("owner", owner_of(i + 1, BLOCK), MYTHREAD);
        blocked[i + 1] += from[i] / 2 + 1;
    }
    expect_made("one before", 0, n - 1, 1, 1);
    upc_forall (i = 2; i < n; i++; &cyclic[i - 2]) {
        expect("owner", owner_of(i - 2, 1), MYTHREAD);
        cyclic[i - 2] += next[i] - i + 1;
    }
    expect_made_cyclic("two behind", 2, n, 1, -2);
    upc_forall (i = 3; i < n - far - 1; i += 2; &blocked[far + i + 1]) {
        expect("owner", owner_of(i + far + 1, BLOCK), MYTHREAD);
        blocked[far + i + 1] += i + 1;
    }
    expect_made("farther", 3, n - far - 1, 2, far + 1);
}

static void as_a_matrix(void)
{
    int i, j, k, n_rows = n / COLUMNS;
    upc_forall (i = 0; i < n_rows; i++; i)
        for (j = 0; j < COLUMNS; j++)
            rows[i * COLUMNS + j] = 100 * i + j;
    upc_barrier;
    for (i = 0; i < n; i++)
        expect("rows", rows[i], 100 * (i / COLUMNS) + i % COLUMNS);
    upc_barrier;
    upc_forall (i = 0; i < n_rows; i++; &rows[COLUMNS * i])
        for (j = 0; j < COLUMNS / 2; j++)
            for (k = 0; k <= 1; k++)
                rows[2 * j + i * COLUMNS + k] += 1000 * MYTHREAD;
    upc_barrier;
    for (i = 0; i < n; i++)
        expect("pairs", rows[i], 100 * (i / COLUMNS) + i % COLUMNS + 1000 * owner_of(i, COLUMNS));
    upc_barrier;
    upc_forall (i = 0; i < n_rows - 1; i++; i)
        for (j = 0; j <= COLUMNS; j++) /* to the next row */
            next[i * COLUMNS + j] = rows[i * COLUMNS + j] - 1000 * owner_of(i * COLUMNS + j, COLUMNS);
    upc_barrier;
    for (i = 0; i < n - COLUMNS; i++)
        expect("longer than a row", next[i], 100 * (i / COLUMNS) + i % COLUMNS);
}

int main(void)
{
    n = N * THREADS;
    for (int i = MYTHREAD; i < n; i += THREADS)
        from[i] = next[i] = 2 * i;
    upc_barrier;
    by_steps();
    downwards();
    beside();
    as_a_matrix();
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
