// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p15
// A shared int is an int to the aliasing rules: int * and shared [] int * may both access it.
#include "../../check.h"

shared [10] int A[10 * THREADS];

static int twice(int *local, shared [] int *far)
{
    *local = 1;
    *far = 2;
    return *local;
}

int main(void)
{
    shared [10] int *mine = &A[10 * MYTHREAD + 3];
    CHECK_EQ(twice((int *)mine, (shared [] int *)mine), 2);
    *mine = 5;
    CHECK_EQ(*(int *)mine, 5);
    CHECK_EQ(*(shared [] int *)mine, 5);
    return check_done();
}
