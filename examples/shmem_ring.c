/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM: a sum that goes round. Each PE waits for a signal that its left neighbour sends with the
 * sum so far, adds its own number and sends it on; PE 0 began it and has all of them.
 *
 *     shmemcc -O2 shmem_ring.c -o ring && shmemrun -n 4 ./ring
 *     shmemrun -n 4 -virtual-hosts 2 ./ring
 */
#include <shmem.h>
#include <stdio.h>

static long sum; /* global and static variables are symmetric */
static uint64_t arrived;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me > 0) {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
    }
    long mine = sum + me;
    shmem_long_put_signal(&sum, &mine, 1, &arrived, 1, SHMEM_SIGNAL_SET, (me + 1) % n);
    if (me == 0) {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        printf("the numbers of %d PEs add up to %ld\n", n, sum);
    }
    shmem_finalize();
    return 0;
}
