// SPDX-License-Identifier: BSD-3-Clause
// Lvalues made by conditionals, commas, casts and calls.
#include "../../check.h"

shared [2] int a[4 * THREADS], b[4 * THREADS];
shared int x, y;
struct pair { int l, r; };
shared struct pair p[THREADS];

static shared [2] int *select_array(int which)
{
    return which ? a : b;
}

int main(void)
{
    int me = 4 * MYTHREAD;
    for (int which = 0; which < 2; which++) {
        (which ? a : b)[me] = which + 1;
        *(which ? &a[me + 1] : &b[me + 1]) = which + 3;
        select_array(which)[me + 2] = which + 5;
        (0, select_array(which))[me + 3] = which + 7;
    }
    CHECK_EQ(a[me] * 1000 + a[me + 1] * 100 + a[me + 2] * 10 + a[me + 3], 2468);
    CHECK_EQ(b[me] * 1000 + b[me + 1] * 100 + b[me + 2] * 10 + b[me + 3], 1357);
    if (MYTHREAD == 0) {
        *(THREADS > 0 ? &x : &y) = 9;
        *(THREADS < 0 ? &x : &y) += 3;
    }
    (MYTHREAD % 2 ? &p[MYTHREAD] : &p[MYTHREAD])->r = 4;
    CHECK_EQ((1 ? p[MYTHREAD] : p[0]).r, 4);
    CHECK_EQ((0, p[MYTHREAD]).r, 4);
    upc_barrier;
    CHECK_EQ(x * 10 + y, 93);
    return check_done();
}
