// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ exit: 1
//@ stderr: error[R0203]: tests/run/alloc/freed-twice.upc:12: upc_free: the pointer to offset
// Under -g the message has the line of the call.
#include <upc.h>

int main(void) {
    if (MYTHREAD == 0) {
        shared [] int *p = upc_alloc(1000);
        upc_free(p);
        upc_free(p);
    }
    upc_barrier;
    return 0;
}
