// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2
// A gigabyte of shared array for each thread costs only what is touched.
#include "../../check.h"

enum { COUNT = 1 << 28 };
shared [COUNT] int a[COUNT * THREADS];
shared [] char tail[1 << 30];

int main(void)
{
    size_t first = (size_t)COUNT * MYTHREAD;
    a[first] = MYTHREAD + 1;
    a[first + COUNT - 1] = MYTHREAD + 2;
    tail[(1 << 30) - 1 - MYTHREAD] = 'x';
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        size_t index = (size_t)COUNT * t;
        CHECK_EQ(upc_threadof(&a[index + COUNT - 1]), t);
        CHECK_EQ(a[index], t + 1);
        CHECK_EQ(a[index + COUNT - 1], t + 2);
        CHECK_EQ(a[index + COUNT / 2], 0);
        CHECK_EQ(tail[(1 << 30) - 1 - t], 'x');
    }
    return check_done();
}
