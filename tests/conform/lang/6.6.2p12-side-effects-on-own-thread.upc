// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p12
// Iterations of one thread follow in order, and may build on each other.
#include "../../check.h"

int main(void)
{
    int last = -1, sum = 0;
    upc_forall(int i = 0; i < 8 * THREADS; i++; i) {
        CHECK(i > last);
        last = i;
        sum += i / THREADS;
    }
    CHECK_EQ(sum, 28);
    return check_done();
}
