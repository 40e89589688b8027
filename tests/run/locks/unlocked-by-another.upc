// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3 2x2
//@ flags: -g
//@ exit: 1
//@ stderr: error[R0304]: tests/run/locks/unlocked-by-another.upc:15: thread
// Under -g the message has the line of the call.
#include <upc.h>

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_unlock(lock);
    upc_barrier;
    return 0;
}
