// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p9
//@ static-threads: 3
//@ mappings: 3x1 1x3
// Example 2: what only the static environment allows.
#include "../../check.h"

shared int x1[10 + THREADS];
shared [] int x2[THREADS];
shared int x3[10];
shared int x4[THREADS][4 * THREADS];
shared int x5[THREADS * THREADS];
shared int x6[THREADS * 100 * 20];
shared int (**p)[THREADS][THREADS];
typedef shared int (*t)[THREADS][13][THREADS];
shared void *q;

int main(void)
{
    shared void *r = (shared int(*)[THREADS][THREADS])q;
    t unused = 0;
    CHECK(r == 0 && p == 0 && unused == 0);
    CHECK_EQ(sizeof x1 + sizeof x2 + sizeof x3, (13 + 3 + 10) * sizeof(int));
    CHECK_EQ(sizeof x4 + sizeof x5 + sizeof x6, (36 + 9 + 6000) * sizeof(int));
    for (int i = MYTHREAD; i < 10; i += THREADS)
        x3[i] = i;
    upc_barrier;
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(upc_threadof(&x3[i]), i % 3);
        CHECK_EQ(x3[i], i);
    }
    return check_done();
}
