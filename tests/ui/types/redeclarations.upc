// SPDX-License-Identifier: BSD-3-Clause
// All declarations of a name have the same block sizes; the C compiler could not tell.
extern shared [4] int a[4 * THREADS];
shared [2] int a[4 * THREADS]; //~ error E0318
shared int x;
int x; //~ error E0318
void f(shared [2] int *p);
void f(shared [3] int *p) {} //~ error E0318

extern shared [2] int b[];
shared [2] int b[2 * THREADS];
void g();
void g(shared int *p) {}

extern strict shared int flag;
relaxed shared int flag; //~ error E0318
extern strict shared int flags[THREADS];
shared int flags[THREADS];
