// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p2
// Through shared void * and back thread, address and phase are kept, by cast and assignment.
#include "../../check.h"

shared [5] int a[20 * THREADS];

static shared void *pass(shared void *p)
{
    return p;
}

int main(void)
{
    for (int i = 0; i < 20 * THREADS; i++) {
        shared [5] int *p = &a[i];
        shared void *g = p;
        shared const void *c = (shared const void *)p;
        CHECK_EQ(upc_phaseof(g), i % 5);
        CHECK_EQ(upc_phaseof((shared void *)c), i % 5);
        shared [5] int *back = g;
        CHECK_EQ(upc_phaseof(back), i % 5);
        CHECK(back == p);
        shared [5] int *again = (shared [5] int *)pass(p);
        CHECK_EQ(again - a, i);
        shared [10] char *other = g;
        CHECK_EQ(upc_phaseof(other), i % 5);
    }
    return check_done();
}
