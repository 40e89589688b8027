// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2p2
// upc_free and upc_all_free take what any of the three functions returned.
#include "../../check.h"

shared void *shared from_alloc, *shared from_global;

int main(void)
{
    for (int i = 0; i < 20; i++) {
        if (MYTHREAD == 0) {
            from_alloc = upc_alloc(100);
            from_global = upc_global_alloc(10, 100);
        }
        shared void *from_all = upc_all_alloc(10, 100), *second = upc_all_alloc(10, 100);
        upc_barrier;
        CHECK(from_all != second);
        upc_all_free(from_alloc);
        upc_all_free(from_global);
        upc_all_free(from_all);
        if (MYTHREAD == THREADS - 1)
            upc_free(second);
        upc_barrier;
    }
    return check_done();
}
