// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3 -Wall -Werror
// Loops over matrices by one index, which quotients and remainders take apart; and such as look like it.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { ROWS = 12, WIDE = 20, OWN = ROWS * WIDE, DEEP = 6, CUBE = 4 * 5 * DEEP };

static shared [OWN] int m[ROWS * THREADS][WIDE], to[ROWS * THREADS][WIDE];
static shared [WIDE] int by_rows[ROWS * THREADS][WIDE];
static shared [CUBE] int cube[4 * THREADS][5][DEEP], cube_to[4 * THREADS][5][DEEP];
static shared [30] int line[OWN * THREADS];
struct point { int x, y[3]; };
static shared [OWN] struct point points[ROWS * THREADS][WIDE];
static int all, all_in_cubes;

static int value(int k)
{
    return k * 37 % 1009;
}

static void fill(void)
{
    upc_barrier;
    for (int k = MYTHREAD; k < all; k += THREADS) {
        m[k / WIDE][k % WIDE] = by_rows[k / WIDE][k % WIDE] = line[k] = value(k);
        to[k / WIDE][k % WIDE] = -1;
        points[k / WIDE][k % WIDE] = (struct point){value(k), {k, k + 1, k + 2}};
    }
    for (int k = MYTHREAD; k < all_in_cubes; k += THREADS)
        cube[k / 30][k / 6 % 5][k % 6] = value(k), cube_to[k / 30][k / 6 % 5][k % 6] = -1;
    upc_barrier;
}

static void check(const char *what, int lo, int hi, int times, int more)
{
    upc_barrier;
    for (volatile int k = 0; k < all; k++) {
        int row = k / WIDE, column = k - row * WIDE;
        expect(what, to[row][column], k < lo || k >= hi ? -1 : times * value(k) + more);
    }
    upc_barrier;
}

static void own(void)
{
    fill();
    int k;
    upc_forall (k = 0; k < all; k++; &m[k / WIDE][k % WIDE]) {
        int i = k / WIDE, j = k % WIDE;
        to[i][j] = m[i][j] * 2;
    }
    check("own", 0, all, 2, 0);
    for (int k = 0; k < OWN; k++)
        to[MYTHREAD * ROWS + k / WIDE][k % WIDE] = m[MYTHREAD * ROWS + k / WIDE][k % WIDE] * 3 + 1;
    check("own rows", 0, all, 3, 1);
}

static void others(int lo, int hi)
{
    fill();
    int sums[6] = {0};
    if (MYTHREAD == THREADS - 1) {
        for (int k = lo; k < hi; k++) {
            const int j = k % WIDE, i = k / WIDE;
            to[i][j] = m[i][j] + 4;
        }
        for (int k = lo; k < hi; k++) {
            int i = k / WIDE, j = k % WIDE, other = k / 10, wrong_row = k % 10;
            sums[0] += by_rows[i][j] - value(k);
            sums[1] += points[i][j].x + points[i][j].y[2] - value(k) - k - 2;
            sums[2] += m[k / 10 % ROWS][k % WIDE] - value(k / 10 % ROWS * WIDE + k % WIDE);
            sums[3] += line[i * WIDE + j] + line[other * 10 + wrong_row] - 2 * value(k);
            sums[4] += m[i][(j + 1) % WIDE] - value(i * WIDE + (j + 1) % WIDE);
        }
        for (long k = hi - 1; k >= lo; k--)
            sums[5] += m[k / WIDE][k % WIDE] - value(k);
    }
    for (int i = 0; i < 6; i++)
        expect("sums", sums[i], 0);
    check("others", lo, hi > lo ? hi : lo, 1, 4);
}

static void cubes(void)
{
    fill();
    int sum = 0;
    for (int k = MYTHREAD * CUBE; k < MYTHREAD * CUBE + CUBE; k++) {
        int x = k % DEEP, u = k / DEEP, y = u % 5, z = u / 5;
        cube_to[z][y][x] = cube[z][y][x] + 1;
    }
    upc_barrier;
    for (int k = 0; k < all_in_cubes; k++)
        sum += cube_to[k / (5 * DEEP)][k / DEEP % 5][k % DEEP] - value(k) - 1;
    expect("cubes", sum, 0);
    upc_barrier;
    for (int k = 0; k < CUBE; k++) {
        // Not the number of any one element: the dimensions are in another order.
        int y = k % 5, u = k / 5, x = u % DEEP, z = u / DEEP;
        cube_to[MYTHREAD * 4 + z][y][x] = k;
    }
    for (int k = 0; k < CUBE; k++)
        sum += cube_to[MYTHREAD * 4 + k / DEEP / 5][k % 5][k / 5 % DEEP] - k;
    expect("turned", sum, 0);
    int moved = 0;
    for (int k = 0; k < CUBE; k++) {
        int i = k / DEEP, j = k % DEEP;
        i += 2;
        moved += cube[MYTHREAD * 4 + (i - 2) / 5][(i - 2) % 5][j] - value(MYTHREAD * CUBE + k);
    }
    expect("changed", moved, 0);
}

int main(void)
{
    all = OWN * THREADS, all_in_cubes = CUBE * THREADS;
    own();
    for (int lo = 0; lo < 50; lo += 23)
        for (int n = 0; n < OWN; n += 1 + n * 3)
            others(lo, lo + n < all ? lo + n : all);
    others(0, all);
    cubes();
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
