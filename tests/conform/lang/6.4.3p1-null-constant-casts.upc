// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p1
// A null pointer constant casts to the null pointer-to-shared.
#include "../../check.h"

static shared [3] int *identity(shared [3] int *p)
{
    return p;
}

int main(void)
{
    shared int *a = (shared int *)0;
    shared [] char *b = (shared [] char *)NULL;
    shared void *c = (shared void *)(void *)0;
    shared [3] int *d = 0L;
    CHECK(a == 0 && b == 0 && c == 0 && d == 0);
    CHECK(identity(NULL) == 0);
    CHECK(identity(0) == d);
    CHECK((MYTHREAD < 0 ? d : 0) == NULL);
    return check_done();
}
