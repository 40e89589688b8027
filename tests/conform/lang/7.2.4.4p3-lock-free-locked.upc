// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.4p3
// A lock can be freed while any thread holds it.
#include "../../check.h"

upc_lock_t *shared held;

int main(void)
{
    for (int i = 0; i < 20; i++) {
        if (MYTHREAD == 0) {
            held = upc_global_lock_alloc();
            upc_lock(held);
        }
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            upc_lock_free(held);
        upc_barrier;
    }
    return check_done();
}
