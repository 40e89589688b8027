// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 2x2
// _Thread_local and __thread written by the user still work.
#include "../../check.h"

static _Thread_local int a = 3;
__thread int b;
static __thread char c[4] = "abc";

int main(void)
{
    static _Thread_local int d = 4;
    a += MYTHREAD;
    b += MYTHREAD;
    d += MYTHREAD;
    c[0] = 'A' + MYTHREAD;
    upc_barrier;
    CHECK_EQ(a * 10000 + b * 100 + d, (3 + MYTHREAD) * 10000 + MYTHREAD * 100 + 4 + MYTHREAD);
    CHECK_EQ(c[0], 'A' + MYTHREAD);
    return check_done();
}
