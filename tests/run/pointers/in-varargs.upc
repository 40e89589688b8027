// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared through variable argument lists.
#include "../../check.h"
#include <stdarg.h>

shared [4] int a[8 * THREADS];
shared double d;

static int sum(int n, ...)
{
    va_list args;
    int s = 0;
    va_start(args, n);
    for (int i = 0; i < n; i++) {
        shared [4] int *p = va_arg(args, shared [4] int *);
        s += *p + 100 * (int)upc_phaseof(p);
    }
    shared void *last = va_arg(args, shared void *);
    CHECK(last == &d);
    va_end(args);
    return s;
}

int main(void)
{
    for (int i = MYTHREAD; i < 8 * THREADS; i += THREADS)
        a[i] = i;
    upc_barrier;
    CHECK_EQ(sum(3, &a[1], a + 2, &a[7], (shared void *)&d), 10 + 600);
    CHECK_EQ(sum(0, (shared void *)&d), 0);
    return check_done();
}
