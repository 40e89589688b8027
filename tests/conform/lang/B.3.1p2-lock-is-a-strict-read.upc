// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.3.1p2
//@ mappings: 2x1 1x2
// Accesses after upc_lock are not seen before it, those before upc_unlock not after it.
#include "../../check.h"

enum { N = 20000 };
relaxed shared int a, b;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < N; i++) {
        upc_lock(lock);
        if (MYTHREAD == 0) {
            a = i + 1;
            b = i + 1;
        } else {
            int got_b = b, got_a = a;
            CHECK_EQ(got_b, got_a);
        }
        upc_unlock(lock);
    }
    upc_barrier;
    upc_all_lock_free(lock);
    return check_done();
}
