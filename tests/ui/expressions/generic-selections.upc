// SPDX-License-Identifier: BSD-3-Clause
// Generic selections with shared types; what only private ones take part in is the C compiler's.
#include <upc.h>

shared int *cyclic;
shared [4] int *blocked;
shared const int *to_const;
shared int a[THREADS];

int f(void)
{
    int n = 0;
    n += _Generic(cyclic, int *: 1, char *: 2);                               //~ error E0435
    n += _Generic(blocked, shared int *: 1, shared [2] int *: 2);             //~ error E0435
    n += _Generic(a[0], float: 1, shared int: 2);                             //~ error E0435
    n += _Generic(to_const, shared int *: 1);                                 //~ error E0435
    n += _Generic(&a[0], shared int *: 1, shared void *: 3, shared [1] int *: 2); //~ error E0435
    n += _Generic(cyclic, shared [] int *: 1, default: 2);
    n += _Generic(blocked, int *: 1, shared [4] int *: 2);
    n += _Generic(a[0], int: 1, shared int: 2);
    return n;
}
