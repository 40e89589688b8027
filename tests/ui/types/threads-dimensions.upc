// SPDX-License-Identifier: BSD-3-Clause
// Dimensions without THREADS, with too much of it, with arithmetic around it.
shared int a[10]; //~ error E0315
shared int b[THREADS][THREADS]; //~ error E0315
shared int c[THREADS + 1]; //~ error E0315
shared int d[2 * THREADS + THREADS]; //~ warning W0319
shared int e[THREADS / 2]; //~ error E0315
shared int f[-2 * THREADS]; //~ error E0315
shared [*] int g[7]; //~ error E0315
shared int (*h)[THREADS * THREADS]; //~ error E0315
typedef shared int i[THREADS][3][THREADS]; //~ error E0315
static shared [2] int j[3][4]; //~ error E0315
typedef int square[THREADS][THREADS], odd[THREADS + 1];
shared square k; //~ error E0315
shared odd l; //~ error E0314
shared int m[THREADS / 1 + 3 - 3]; //~ warning W0319
shared int n[THREADS * 4 >> 1]; //~ error E0315
shared int o[(char)THREADS]; //~ error E0315
shared int p[1 ? THREADS : 2]; //~ warning W0319
shared int q[THREADS << 2]; //~ warning W0319
shared int r[THREADS * 3 / 2]; //~ error E0315
shared int s[-THREADS]; //~ error E0315
shared int good[THREADS][5], good_too[(2 + 3) * THREADS];
