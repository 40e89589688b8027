// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.7.2.2p3 7.7.2.2p4
// What upc_thread_info guarantees, upc_cast does; on one host that is everything.
#include "../../check.h"
#include <upc_castable.h>

shared int cyclic[THREADS];

int main(void)
{
    for (int t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info(t);
        CHECK_EQ(info.guaranteedCastable, UPC_CASTABLE_ALL);
        CHECK_EQ(info.probablyCastable & info.guaranteedCastable, info.guaranteedCastable);
        CHECK_EQ(info.probablyCastable & ~UPC_CASTABLE_ALL, 0);
        if (info.guaranteedCastable & UPC_CASTABLE_STATIC)
            CHECK(upc_cast(&cyclic[t]) != NULL);
    }
    return check_done();
}
