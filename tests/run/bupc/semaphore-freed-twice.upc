// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: bupc_sem_free: 0x
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    s = bupc_sem_alloc(0);
    bupc_sem_free(s);
    bupc_sem_free(s);
    return 0;
}
