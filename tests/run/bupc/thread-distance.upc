// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
//@ one-host
// Distances within a host: where there is a CPU for each thread they are bound, and may share a cache.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < THREADS; j++) {
            unsigned distance = bupc_thread_distance(i, j);
            CHECK(i == j ? distance == BUPC_THREADS_SAME
                         : distance == BUPC_THREADS_VERYNEAR || distance == BUPC_THREADS_NEAR);
            CHECK_EQ(distance, bupc_thread_distance(j, i));
        }
    CHECK(BUPC_THREADS_SAME < BUPC_THREADS_VERYNEAR && BUPC_THREADS_VERYNEAR < BUPC_THREADS_NEAR &&
          BUPC_THREADS_NEAR < BUPC_THREADS_FAR && BUPC_THREADS_FAR < BUPC_THREADS_VERYFAR);
    return check_done();
}
