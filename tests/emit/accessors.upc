// SPDX-License-Identifier: BSD-3-Clause
// Calls of functions of one expression in loops: the loops see what they access.
//@ flags: -O2
#include <upc_relaxed.h>

enum { N = 64 };
shared [N * N] double from[N * THREADS][N], to[N * THREADS][N];

static inline int at(int i, int j) { return i * N + j; }
static double get(int i, int j) { return from[i][j]; }
static inline void set(int i, int j, double v) { to[i][j] = v; }

void copy(int i)
{
    set(i, 0, get(i, 0));
    for (int j = 1; j < N; j++)
        set(i, j,
            get(i, j - 1));
}

int stays(shared [] int *a, int n)
{
    int sum = 0, i = 0;
    while (i < n)
        sum += a[at(i++, 1)];
    return sum;
}
