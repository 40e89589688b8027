// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: flags 0x3
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    s = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_BOOLEAN);
    return 0;
}
