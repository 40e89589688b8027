// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.8p2
// A thread may hold many locks at once and release them in any order.
#include "../../check.h"

enum { N = 200 };

int main(void)
{
    upc_lock_t *locks[N];
    for (int i = 0; i < N; i++) {
        locks[i] = upc_global_lock_alloc();
        upc_lock(locks[i]);
    }
    for (int i = 0; i < N; i += 2)
        upc_unlock(locks[i]);
    for (int i = 0; i < N; i += 2)
        CHECK_EQ(upc_lock_attempt(locks[i]), 1);
    for (int i = N - 1; i >= 0; i--) {
        upc_unlock(locks[i]);
        upc_lock_free(locks[i]);
    }
    return check_done();
}
