// SPDX-License-Identifier: BSD-3-Clause
// K&R definitions and declarations without prototypes, with pointers-to-shared too.
#include "../../check.h"

shared [2] int a[4 * THREADS];
int undeclared_args();

static int old(p, n, c)
    shared [2] int *p;
    int n;
    char c;
{
    return p[n] + c;
}

int undeclared_args(x, y)
    int x;
    double y;
{
    return x + (int)y;
}

static void empty() {}

int main()
{
    a[4 * MYTHREAD + 1] = 5;
    empty();
    CHECK_EQ(old(a + 4 * MYTHREAD, 1, 'c'), 5 + 'c');
    CHECK_EQ(undeclared_args(2, 3.9), 5);
    return check_done();
}
