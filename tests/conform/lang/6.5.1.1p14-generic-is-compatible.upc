// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p14
// shared void * converts from and to every block size without a cast.
#include "../../check.h"

shared [4] int a[8 * THREADS];
shared [] double d[2];

static size_t where(shared void *p)
{
    return upc_threadof(p);
}

static shared void *pick(int i)
{
    return i ? (shared void *)a : d;
}

int main(void)
{
    shared void *g = a;
    shared [4] int *p = g;
    shared [] double *q = pick(0);
    shared [9] char *c = pick(1);
    CHECK(p == a && q == d);
    CHECK(c == g);
    CHECK_EQ(where(&a[4]), 1 % THREADS);
    CHECK_EQ(where(q), 0);
    CHECK(g == p && p == g && g != d);
    CHECK((MYTHREAD >= 0 ? g : p) == a);
    return check_done();
}
