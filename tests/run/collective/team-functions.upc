// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 5x1 2x2 2:4x1
// Reductions of teams by functions of the program, whose values may not change places.
#include <stdio.h>
#include <upc.h>
#include <upcx_team.h>

enum { N = 700, STEP = 31 };

static shared [N] double from[N * THREADS], to[N * THREADS];
static shared [4] short digits[4 * THREADS], number[4 * THREADS];

// Associative: of two affine maps x -> a x + b, packed as a and b / STEP, one after the other.
static double then(double f, double g)
{
    double fa = (int)f, fb = (f - fa) * STEP, ga = (int)g, gb = (g - ga) * STEP;
    double a = (int)(fa * ga) % STEP, b = (int)(fa * gb + fb + 0.5) % STEP;
    return a + b / STEP;
}

static short first(short a, short b)
{
    return b ? a : b;
}

static double element(int thread, int i)
{
    return 1 + (thread + i) % (STEP - 1) + (double)((thread * 7 + i) % STEP) / STEP;
}

static int is_near(double a, double b)
{
    double d = a - b;
    return d < 1e-6 && d > -1e-6;
}

int main(void)
{
    upcx_team_t team = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD % 2, 0);
    int bad = 0, size = upcx_team_size(team);
    double expected[N];
    for (int i = 0; i < N; i++) {
        from[MYTHREAD * N + i] = element(MYTHREAD, i);
        expected[i] = element(upcx_team_thread(team, 0), i);
        for (int r = 1; r < size; r++)
            expected[i] = then(expected[i], element(upcx_team_thread(team, r), i));
    }
    for (int n = 1; n <= N; n += 233) {
        upcx_team_reduce_all_func(team, to, from, n, UPC_DOUBLE, (upcx_function_t)then,
                                  UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        for (int i = 0; i < n; i++)
            bad += !is_near(to[MYTHREAD * N + i], expected[i]);
        upcx_team_barrier(team);
        int root = upcx_team_thread(team, size - 1);
        upcx_coll_wait(upcx_team_reduce_func_nb(team, &to[root * N], from, n, UPC_DOUBLE,
                                                (upcx_function_t)then, 0));
        for (int i = 0; MYTHREAD == root && i < n; i++)
            bad += !is_near(to[MYTHREAD * N + i], expected[i]);
    }
    digits[MYTHREAD * 4] = (short)(MYTHREAD + 1);
    upcx_team_reduce_all_func(UPCX_TEAM_ALL, number, digits, 1, UPC_SHORT, (upcx_function_t)first,
                              0);
    bad += number[MYTHREAD * 4] != 1;
    upc_barrier;
    upcx_team_free(team);
    puts(bad ? "wrong" : "ok");
    return bad > 0;
}
