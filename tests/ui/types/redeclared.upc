// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p13
// The block size is part of the type: all declarations of a name must agree.
#include <upc.h>

extern shared [4] int a[4 * THREADS];
shared [2] int a[4 * THREADS]; //~ error E0318

void f(shared [2] int *p);
void f(shared [3] int *p); //~ error E0318

extern shared int b[4 * THREADS];
shared [1] int b[4 * THREADS];
