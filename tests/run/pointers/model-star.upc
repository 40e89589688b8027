// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 5x1
// [*] is a block size like another once the array is known: 10 elements for each thread.
#include "../../check.h"

enum { N = 10 };
shared [*] char array[N * THREADS];

int main(void)
{
    for (int i = 0; i < N * THREADS; i++)
        for (int k = 0; k < N * THREADS; k++) {
            shared [N] char *p = &array[i], *q = p + (k - i);
            CHECK(q == &array[k]);
            CHECK_EQ(upc_threadof(q), k / N);
            CHECK_EQ(upc_phaseof(q), k % N);
            CHECK_EQ(q - p, k - i);
        }
    return check_done();
}
