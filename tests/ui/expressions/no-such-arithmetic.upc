// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p1
// Sums with integers and differences are all the arithmetic that pointers-to-shared have.
#include <upc.h>

shared int *middle(shared int *p, shared int *q)
{
    return (p + q) / 2; //~ error E0413
}

int other(shared int *p)
{
    p * 2; //~ error E0413
    -p;    //~ error E0413
    p & 1; //~ error E0413
    1 - p; //~ error E0413
    return p == 7; //~ error E0413
}

double third(shared int *p, shared [4] int *q)
{
    float f = (float)q; //~ error E0413
    return (double)p + f; //~ error E0413
}
