// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
//@ flags: -network=smp -mcx16
//@ one-host
//@ x86-64: -mcx16 is its option
//@ not-checked: -check is for code that could run on several hosts, -network=smp is not
// Programs for one host have atomic operations on 16 bytes.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared __int128 sum;

int main(void)
{
    for (int i = 0; i < 100; i++) {
        __sync_fetch_and_add(&sum, (__int128)1 << 70);
    }
    upc_barrier;
    if (sum != (__int128)100 * THREADS << 70) {
        printf("thread %d: wrong\n", MYTHREAD);
        exit(1);
    }
    if (MYTHREAD == 0) {
        puts("ok");
    }
    return 0;
}
