// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2:2x2
//@ limit: 20
//@ exit: 1
//@ stderr: R0310
//@ stderr: in bupc_sem_wait
//@ stderr: in upc_barrier
// One post too few.
#include <bupc_extensions.h>
#include <upc.h>

static bupc_sem_t *shared semaphore;

int main(void)
{
    if (MYTHREAD == 0) {
        semaphore = bupc_sem_alloc(BUPC_SEM_INTEGER);
    }
    upc_barrier;
    if (MYTHREAD == 3) {
        bupc_sem_postN(semaphore, 2);
    } else {
        bupc_sem_wait(semaphore);
    }
    upc_barrier;
    return 0;
}
