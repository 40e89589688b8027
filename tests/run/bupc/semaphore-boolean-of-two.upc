// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: the boolean semaphore
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    s = bupc_sem_alloc(BUPC_SEM_BOOLEAN);
    bupc_sem_waitN(s, 2);
    return 0;
}
