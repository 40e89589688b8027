// SPDX-License-Identifier: BSD-3-Clause
//@ not-checked: all threads write the same value
// _Generic looks at values: qualifiers, shared too, are gone from lvalues, not from pointees.
#include "../../check.h"

shared int i;
shared [3] double d[3 * THREADS];
shared [] char c[4];
shared const long l;

#define KIND(e) _Generic((e), int: 1, double: 2, char: 3, long: 4, shared int *: 5, shared [3] double *: 6, shared [] char *: 7, shared void *: 8, int *: 9, shared const long *: 10, default: 0)

int main(void)
{
    CHECK_EQ(KIND(i), 1);
    CHECK_EQ(KIND(d[1]), 2);
    CHECK_EQ(KIND(c[1]), 3);
    CHECK_EQ(KIND(l), 4);
    CHECK_EQ(KIND(&i), 5);
    CHECK_EQ(KIND(d + 1), 6);
    CHECK_EQ(KIND(&d[2]), 6);
    CHECK_EQ(KIND(c), 7);
    CHECK_EQ(KIND((shared void *)c), 8);
    CHECK_EQ(KIND((int *)&i), 9);
    CHECK_EQ(KIND(&l), 10);
    CHECK_EQ(_Generic(i, int: d[0] = 3, default: d[0] = 4), 3);
    return check_done();
}
