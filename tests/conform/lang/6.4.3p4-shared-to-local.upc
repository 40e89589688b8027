// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p4
// A pointer-to-shared with local affinity casts to a pointer-to-local of the same object.
#include "../../check.h"

typedef struct { int a; double b; char c[5]; } record;
shared [2] record r[6 * THREADS];

int main(void)
{
    for (int i = 0; i < 6 * THREADS; i++) {
        if (upc_threadof(&r[i]) != MYTHREAD)
            continue;
        record *local = (record *)&r[i];
        local->a = i;
        local->b = i / 2.0;
        local->c[4] = (char)i;
        int *a = (int *)&r[i].a;
        *a += 1000;
        void *bytes = (void *)&r[i];
        CHECK(bytes == (void *)local);
    }
    upc_barrier;
    for (int i = 0; i < 6 * THREADS; i++) {
        CHECK_EQ(r[i].a, i + 1000);
        CHECK(r[i].b == i / 2.0);
        CHECK_EQ(r[i].c[4], (char)i);
    }
    return check_done();
}
