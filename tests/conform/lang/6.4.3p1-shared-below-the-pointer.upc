// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p1
// Private memory may hold pointers-to-shared: the cast's own pointer stays local.
#include "../../check.h"

shared int a[THREADS];

int main(void)
{
    shared int **list = (shared int **)malloc(THREADS * sizeof(shared int *));
    for (int t = 0; t < THREADS; t++)
        list[t] = &a[t];
    *list[MYTHREAD] = MYTHREAD;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(*list[t], t);
    free(list);
    return check_done();
}
