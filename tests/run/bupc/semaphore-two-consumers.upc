// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2 5x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: bupc_sem_try: the semaphore was allocated with BUPC_SEM_SCONSUMER
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    if (MYTHREAD == 0)
        s = bupc_sem_alloc(BUPC_SEM_SCONSUMER);
    upc_barrier;
    bupc_sem_try(s);
    upc_barrier;
    return 0;
}
