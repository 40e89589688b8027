// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 4x1 1x4 2x2 3x1 2:4x1 3:3x1 2:6x2
//@ flags: -O2
//@ limit: 60
// Random updates of a table by relaxed and by ordered exclusive-or: done twice, nothing is left.
#include <upc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PER_THREAD 512
#define UPDATES 1000

shared [PER_THREAD] uint64_t table[PER_THREAD * THREADS];

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

int main(void)
{
    for (int i = 0; i < PER_THREAD; i++) {
        table[MYTHREAD * PER_THREAD + i] = i;
    }
    upc_barrier;
    uint64_t state = 88172645463325252 + MYTHREAD;
    for (int i = 0; i < UPDATES; i++) {
        uint64_t random = next(&state);
        __atomic_fetch_xor(&table[random % (PER_THREAD * THREADS)], random, __ATOMIC_RELAXED);
    }
    upc_barrier;
    state = 88172645463325252 + MYTHREAD;
    for (int i = 0; i < UPDATES; i++) {
        uint64_t random = next(&state);
        __sync_fetch_and_xor(table + random % (PER_THREAD * THREADS), random);
    }
    upc_barrier;
    for (int i = 0; i < PER_THREAD * THREADS; i++) {
        if (table[i] != i % PER_THREAD) {
            printf("thread %d: table[%d] is %lx\n", MYTHREAD, i, table[i]);
            exit(1);
        }
    }
    if (MYTHREAD == 0) {
        puts("ok");
    }
    return 0;
}
