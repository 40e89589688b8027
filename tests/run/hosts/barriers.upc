// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:7x1 3:3x3 2:5x2 4:4x1
//@ limit: 60
// Barriers of threads on several hosts: whoever has left one can read what all wrote before, and
// values are compared between hosts.
#include <stdio.h>
#include <string.h>
#include <upc.h>

int main(void)
{
    shared [] long *mine = upc_alloc(sizeof(long));
    shared [] long *first;
    long seen;
    shared [1] char *board = (shared [1] char *)upc_all_alloc(THREADS, 16);
    memcpy((char *)(board + MYTHREAD) + 8, &mine, sizeof mine);
    for (int round = 1; round <= 200; round++) {
        *(long *)mine = round;
        upc_barrier round;
        int other = (MYTHREAD + round) % THREADS;
        upc_memget(&first, (shared [] char *)(board + other) + 8, sizeof first);
        upc_memget(&seen, first, sizeof seen);
        if (seen != round) {
            printf("thread %d saw %ld at thread %d in round %d\n", MYTHREAD, seen, other, round);
            return 1;
        }
        if (MYTHREAD % 2) {
            upc_notify round;
            upc_wait;
        } else {
            upc_notify;
            upc_wait round;
        }
    }
    if (MYTHREAD == THREADS - 1)
        printf("ok\n");
    return 0;
}
