// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p8
// q - p is the x with p + x == q.
#include "../../check.h"

enum { N = 12 };
shared int cyclic[N * THREADS];
shared [3] double blocked[N * THREADS];
shared [*] char star[N * THREADS];
shared [] short indefinite[N];

#define ALL_PAIRS(a, count)                                                                   \
    for (int i = 0; i < (count); i++)                                                         \
        for (int k = 0; k < (count); k++)                                                     \
            CHECK_EQ(&a[k] - &a[i], k - i)

int main(void)
{
    ALL_PAIRS(cyclic, N * THREADS);
    ALL_PAIRS(blocked, N * THREADS);
    ALL_PAIRS(star, N * THREADS);
    ALL_PAIRS(indefinite, N);
    CHECK(_Generic(&cyclic[1] - cyclic, ptrdiff_t: 1, default: 0));
    return check_done();
}
