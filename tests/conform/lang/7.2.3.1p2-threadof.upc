// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.1p2
// upc_threadof names the thread of the object, for every kind of pointer-to-shared.
#include "../../check.h"

shared [3] int a[9 * THREADS];
strict shared char c[THREADS];
shared const volatile int d[THREADS];
struct { shared int *p; } holder[2];

int main(void)
{
    for (int i = 0; i < 9 * THREADS; i++)
        CHECK_EQ(upc_threadof(&a[i]), i / 3 % THREADS);
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(upc_threadof((shared void *)&c[t]), t);
        CHECK_EQ(upc_threadof((shared void *)&d[t]), t);
        holder[1].p = (shared int *)&d[t];
        CHECK_EQ(upc_threadof(holder[1].p), t);
    }
    CHECK(_Generic(upc_threadof(a), size_t: 1, default: 0));
    return check_done();
}
