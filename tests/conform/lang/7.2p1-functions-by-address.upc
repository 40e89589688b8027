// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2p1
// Library functions are functions: their address can be taken, the macro form undone.
#include "../../check.h"
#undef upc_threadof
#undef upc_memput

shared int a[2 * THREADS];

static size_t apply(size_t (*f)(shared void *), shared void *p)
{
    return f(p);
}

int main(void)
{
    void (*put)(shared void *restrict, const void *restrict, size_t) = upc_memput;
    int i = 42;
    CHECK_EQ(apply(upc_threadof, &a[MYTHREAD]), MYTHREAD);
    CHECK_EQ(apply(upc_phaseof, &a[MYTHREAD]), 0);
    CHECK_EQ((upc_threadof)(&a[MYTHREAD]), MYTHREAD);
    put(&a[MYTHREAD], &i, sizeof i);
    CHECK_EQ(a[MYTHREAD], 42);
    return check_done();
}
