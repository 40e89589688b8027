// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.7.2.2p3 7.7.2.2p4
// What upc_thread_info guarantees, upc_cast does: everything of threads on the caller's host.
#include "../../check.h"
#include <upc_castable.h>

shared int cyclic[THREADS];

// Whether a thread is on the caller's host: then, and only then, its objects are castable.
static int is_near(int thread)
{
    return bupc_thread_distance(MYTHREAD, thread) < BUPC_THREADS_VERYFAR;
}

int main(void)
{
    for (int t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info(t);
        CHECK_EQ(info.guaranteedCastable, is_near(t) ? UPC_CASTABLE_ALL : 0);
        CHECK_EQ(info.probablyCastable & info.guaranteedCastable, info.guaranteedCastable);
        CHECK_EQ(info.probablyCastable & ~UPC_CASTABLE_ALL, 0);
        if (info.guaranteedCastable & UPC_CASTABLE_STATIC)
            CHECK(upc_cast(&cyclic[t]) != NULL);
    }
    return check_done();
}
