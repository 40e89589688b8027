// SPDX-License-Identifier: BSD-3-Clause
// Many different mistakes in one file: each is reported, where it stands.
#include <upc.h>

shared int a[10]; //~ error E0315
shared [*] int *p; //~ error E0306
strict int flag; //~ error E0302
shared [2] int b[4 * THREADS];

struct s {
    shared int x; //~ error E0311
};

static int f(shared int v) //~ error E0312
{
    return v;
}

int main(void)
{
    shared int local; //~ error E0310
    int *q = &b[1]; //~ error E0408
    shared [3] int *r = b; //~ error E0409
    upc_forall (int i = 0; i < 3; i++; 1.0) //~ error E0502
        THREADS = i; //~ error E0411
    upc_barrier r; //~ error E0501
    return q == b; //~ error E0404
}
