// SPDX-License-Identifier: BSD-3-Clause
// [*] on pointers, in typedefs, and without an array to divide.
shared [*] int *a; //~ error E0306
shared [*] int *b[3]; //~ error E0306
typedef shared [*] int c[THREADS]; //~ error E0307
typedef shared [*] int d; //~ error E0307
extern shared [*] int e[]; //~ error E0308
shared [*] int good[THREADS], *f; //~ error E0306
shared [*] char h[THREADS * (1ul << 46)]; //~ error E0305
enum { SIZE = sizeof(upc_blocksizeof(shared [*] int[10])) }; //~ error E0315

int g(shared [*] int *p) //~ error E0306
{
    return ((shared [*] int *)p)[0]; //~ error E0306
}

int k(shared [*] int p[4 * THREADS]); //~ error E0306
int l(shared [*] int p[]); //~ error E0306
int m(shared [*] int p[3][4 * THREADS]); //~ error E0306
