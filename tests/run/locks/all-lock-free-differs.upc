// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: upc_all_lock_free: ptr is offset
// All threads must free the same lock.
#include <upc.h>

int main(void)
{
    upc_lock_t *one = upc_all_lock_alloc(), *other = upc_all_lock_alloc();
    upc_all_lock_free(MYTHREAD == 1 ? one : other);
    return 0;
}
