// SPDX-License-Identifier: BSD-3-Clause
// Values of shared arrays whose places depend on THREADS.
shared int a[THREADS] = {[THREADS - 1] = 3}; //~ error E0325
shared int b[2][THREADS] = {1, 2}; //~ error E0325
shared int c[THREADS] = {[0 ... THREADS - 1] = 3}; //~ error E0325
shared [2] int d[4 * THREADS] = {[MYTHREAD] = 3}; //~ error E0325
shared int e[2][3 * THREADS] = {[1][0] = 1, 2, 3, 4}; //~ error E0325
shared int good[2][THREADS] = {{1, 2}, [1] = {3}}, good_too[3][2 * THREADS] = {1, 2};
