// SPDX-License-Identifier: BSD-3-Clause
// Orders and differences of pointers into two arrays.
#include <upc.h>
shared int a[10 * THREADS], b[10 * THREADS];
shared [5] double rows[THREADS][5], others[THREADS][5];
shared int *p;

long wrong(int i, int j) {
    long n = &a[i] - &b[j]; //~ warning W0433
    n += &a[i] - b; //~ warning W0433
    n += a + i < b + j; //~ warning W0433
    n += &rows[i][0] >= &others[i][0]; //~ warning W0433
    return n;
}

long right(int i, int j, shared int *q) {
    long n = &a[i] - &a[j];
    n += &a[i] == &b[j] || a != b;
    n += p - a + (q < b);
    n += &rows[i][0] < &rows[j][0];
    for (shared int *at = a; at < a + 10; at++) n += *at;
    return n + (a ? &a[1] - q : 0);
}
