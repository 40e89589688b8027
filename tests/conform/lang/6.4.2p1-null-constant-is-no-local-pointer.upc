// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p1
// Comparing a pointer-to-shared with a null pointer constant is no mixing.
#include "../../check.h"

shared int a[THREADS];

int main(void)
{
    shared int *p = NULL;
    shared void *q = 0;
    CHECK(p == NULL);
    CHECK(p == 0);
    CHECK(0 == q);
    CHECK((void *)0 == q);
    CHECK(!p);
    p = a;
    CHECK(p != NULL);
    CHECK(0 != p);
    CHECK(p && 1);
    return check_done();
}
