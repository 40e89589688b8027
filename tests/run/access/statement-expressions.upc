// SPDX-License-Identifier: BSD-3-Clause
// Shared accesses inside GNU statement expressions and in macros that use them.
#include "../../check.h"

#define MAX(x, y) ({ __typeof__((x) + 0) x_ = (x); __typeof__((y) + 0) y_ = (y); x_ > y_ ? x_ : y_; })
#define SWAP(T, x, y) do { T swap_ = (x); (x) = (y); (y) = swap_; } while (0)

shared [2] int a[4 * THREADS];

int main(void)
{
    int me = 4 * MYTHREAD;
    a[me] = 3;
    a[me + 1] = 8;
    CHECK_EQ(MAX(a[me], a[me + 1]), 8);
    CHECK_EQ(MAX(a[me]++, 2), 3);
    CHECK_EQ(a[me], 4);
    SWAP(int, a[me], a[me + 1]);
    CHECK_EQ(a[me] * 10 + a[me + 1], 84);
    a[me + 2] = ({ shared [2] int *p = &a[me]; p[1] += 1; *p + p[1]; });
    CHECK_EQ(a[me + 2], 13);
    a[({ a[me] = me + 3; a[me]; })] = 6;
    CHECK_EQ(a[me + 3], 6);
    CHECK_EQ(({ int sum = 0; for (int i = 0; i < 4; i++) sum += a[me + i]; sum; }), me + 3 + 5 + 13 + 6);
    return check_done();
}
