// SPDX-License-Identifier: BSD-3-Clause
// Dimensions without THREADS, with too much of it, with arithmetic around it.
shared int a[10]; //~ error E0315
shared int b[THREADS][THREADS]; //~ error E0315
shared int c[THREADS + 1]; //~ error E0315
shared int d[2 * THREADS * 3]; //~ warning W0319
shared int e[THREADS / 2]; //~ error E0315
shared int f[-2 * THREADS]; //~ error E0315
shared [*] int g[7]; //~ error E0315
shared int (*h)[THREADS * THREADS]; //~ error E0315
typedef shared int i[THREADS][3][THREADS]; //~ error E0315
static shared [2] int j[3][4]; //~ error E0315
shared int good[THREADS][5], good_too[(2 + 3) * THREADS];
