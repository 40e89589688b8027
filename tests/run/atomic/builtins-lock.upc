// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 4x1 1x4 2x2 5x1 2:4x1 3:3x1 2:4x2
//@ flags: -O2
//@ limit: 60
//@ not-checked: a thread may read the next value already
// A lock of __sync_lock_test_and_set and __sync_lock_release orders relaxed accesses to what it
// guards, which is on another host than the lock. So does a flag that is set and polled.
#include <upc_relaxed.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 200

shared int lock[THREADS];
shared long guarded[THREADS];
shared int ready[THREADS];

int main(void)
{
    int other = THREADS - 1;
    for (int i = 0; i < ROUNDS; i++) {
        while (__sync_lock_test_and_set(&lock[0], 1)) {
            sched_yield();
        }
        guarded[other] = guarded[other] + 1;
        guarded[THREADS / 2]++;
        __sync_lock_release(&lock[0]);
    }
    upc_barrier;
    long expected = (long)ROUNDS * THREADS * (other == THREADS / 2 ? 2 : 1);
    if (guarded[other] != expected) {
        printf("thread %d: %ld, not %ld\n", MYTHREAD, guarded[other], expected);
        exit(1);
    }
    upc_barrier;
    /* Each writes to the next but one, then tells the next by an atomic store to itself. */
    int far = (MYTHREAD + 2) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 1; i <= ROUNDS; i++) {
        guarded[far] = i;
        __atomic_store_n((int *)&ready[MYTHREAD], i, __ATOMIC_RELEASE);
        while (__atomic_load_n(&ready[before], __ATOMIC_ACQUIRE) < i) {
            sched_yield();
        }
        if (guarded[(MYTHREAD + 1) % THREADS] < i) {
            printf("thread %d, round %d: %ld\n", MYTHREAD, i, guarded[(MYTHREAD + 1) % THREADS]);
            exit(1);
        }
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        puts("ok");
    }
    return 0;
}
