// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: bupc_sem_post: the pointer to the semaphore is null
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    bupc_sem_post(s);
    return 0;
}
