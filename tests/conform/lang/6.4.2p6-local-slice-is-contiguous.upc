// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p5 6.4.2p6
// What a thread holds of an array is contiguous, without padding between blocks.
#include "../../check.h"

typedef struct { char c[3]; } triple;
shared [2] triple a[10 * THREADS];
shared int cyclic[10 * THREADS];

int main(void)
{
    for (int i = 0; i < 10 * THREADS; i++) {
        a[i].c[1] = (char)i;
        if (upc_threadof(&a[i]) == MYTHREAD)
            cyclic[i] = i;
    }
    upc_barrier;
    for (int i = 0; i < 10 * THREADS; i++)
        for (int k = 0; k < 10 * THREADS; k++) {
            if (upc_threadof(&a[i]) != MYTHREAD || upc_threadof(&a[k]) != MYTHREAD)
                continue;
            shared [] triple *s1 = (shared [] triple *)&a[i], *s2 = (shared [] triple *)&a[k];
            triple *p1 = (triple *)s1, *p2 = (triple *)s2;
            CHECK(p1 + (s2 - s1) == p2);
            CHECK_EQ(p1->c[1], (char)i);
        }
    int *mine = (int *)&cyclic[MYTHREAD];
    for (int k = 0; k < 10; k++)
        CHECK_EQ(mine[k], MYTHREAD + k * THREADS);
    return check_done();
}
