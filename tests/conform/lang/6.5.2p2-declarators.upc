// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p2
// Declarators nest: arrays of pointers, pointers to arrays, functions returning either.
#include "../../check.h"

shared [2] int a[4 * THREADS];
shared [2] int *vec[3];
shared [2] int *shared [4] svec[2 * THREADS];
shared [2] int(*parr)[4 * THREADS] = 0;
int *shared sp;
shared int *shared *pp;
shared int *(*fp)(shared int *, int);
shared [2] int *(*fpa[2])(int);

static shared [2] int *at(int i)
{
    return &a[i];
}

static shared [2] int (*whole(void))[4 * THREADS]
{
    return &a;
}

int main(void)
{
    vec[1] = &a[1];
    fpa[1] = at;
    parr = whole();
    if (MYTHREAD == 0) {
        svec[THREADS] = &a[3];
        a[3] = 33;
        a[1] = 11;
    }
    upc_barrier;
    CHECK_EQ(*vec[1], 11);
    CHECK_EQ(*svec[THREADS], 33);
    CHECK_EQ((*parr)[3], 33);
    CHECK_EQ(*fpa[1](3), 33);
    CHECK_EQ(upc_blocksizeof(svec), 4);
    CHECK_EQ(upc_blocksizeof(*svec[0]), 2);
    CHECK(sp == 0 && pp == 0 && fp == 0);
    return check_done();
}
