// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2 3x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0505
//@ stderr: semaphore
#include <upc.h>

static bupc_sem_t *shared s;

int main(void)
{
    /* Whether the one finds that somebody waits, or the other that it was freed, is a matter of
     * time. */
    if (MYTHREAD == 0)
        s = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0)
        bupc_sem_free(s);
    else
        bupc_sem_wait(s);
    upc_barrier;
    return 0;
}
