// SPDX-License-Identifier: BSD-3-Clause
// Loops whose regular accesses the checker hears of before they run; and accesses that it has to be
// asked for one by one: irregular ones, those of some iterations, and those of loops that may end
// early or synchronise.
//@ flags: -check
#include <upc_relaxed.h>

struct point {
    double x, y;
};
shared [10] int rows[THREADS][10];
shared int cyclic[100 * THREADS];
strict shared int flag;

void regular(shared [] double *p, shared [] struct point *q, shared [7] int *blocks, long n) {
    double sum = 0;
    for (int i = 1; i < n; i++)
        p[2 * i] += q[i - 1].x - (&q[n - i])->y;
    for (long i = 0; i <= n; i++) {
        rows[MYTHREAD][i] = blocks[i];
        sum += *(p + 3 * i + 1);
    }
    for (int i = MYTHREAD; i < 100 * THREADS; i += THREADS) cyclic[i] = sum > i;
}

int irregular(shared [] int *p, shared [] int *map, long n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        p[map[i]]++;
        sum += i % 2 && p[i];
    }
    for (int i = 0; i < n; i++) {
        if (map[i] < 0) break;
    }
    for (int i = 0; i < n; i++) sum += p[i] + flag;
    for (int i = 0; i < n; i++) {
        p[i] = 0;
        upc_fence;
    }
    for (int i = 0; i < n; i++) p++[i] = 0;
    return sum;
}
