// SPDX-License-Identifier: BSD-3-Clause
// THREADS in the dimensions of arrays that lie on one thread.
shared [] int a[THREADS]; //~ error E0316
shared [0] int b[3][2 * THREADS]; //~ error E0316
shared [] int (*c)[THREADS]; //~ error E0316
typedef shared [] int d[4 * THREADS]; //~ error E0316
int good_private_pointer_count;
typedef int row[THREADS];
shared [] row e[4]; //~ error E0316
