// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p9
// p < q is p - q < 0: the order of the elements in the array, not of addresses.
#include "../../check.h"

enum { N = 6 };
shared int cyclic[N * THREADS];
shared [2] int blocked[N * THREADS];
shared [] int indefinite[N];

#define ALL_PAIRS(a, count)                                                                   \
    for (int i = 0; i < (count); i++)                                                         \
        for (int k = 0; k < (count); k++) {                                                   \
            CHECK_EQ(&a[i] < &a[k], i < k);                                                   \
            CHECK_EQ(&a[i] > &a[k], i > k);                                                   \
            CHECK_EQ(&a[i] <= &a[k], i <= k);                                                 \
            CHECK_EQ(&a[i] >= &a[k], i >= k);                                                 \
        }

int main(void)
{
    ALL_PAIRS(cyclic, N * THREADS)
    ALL_PAIRS(blocked, N * THREADS)
    ALL_PAIRS(indefinite, N)
    return check_done();
}
