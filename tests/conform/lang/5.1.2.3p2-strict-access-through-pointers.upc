// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p2
// Strictness follows the pointer's type: strict and relaxed pointers may share an object.
#include "../../check.h"

shared int x[THREADS];

int main(void)
{
    strict shared int *s = &x[MYTHREAD];
    relaxed shared int *r = &x[MYTHREAD];
    *s = 5;
    CHECK_EQ(*r, 5);
    *r = 6;
    CHECK_EQ(*s, 6);
    shared int *plain = s == r ? (shared int *)s : 0;
    CHECK_EQ((*plain)++, 6);
    CHECK_EQ(*s, 7);
    return check_done();
}
