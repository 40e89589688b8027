// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1
//@ flags: -pthread
// UPC threads that wait for a lock which a thread of their own holds for seconds are not stuck.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <upc.h>

upc_lock_t *lock;
shared int taken, released;

static void *hold(void *unused)
{
    (void)unused;
    upc_lock(lock);
    taken = 1;
    sleep(3); /* what is tested: a wait much longer than half a second, twice */
    released = 1;
    upc_unlock(lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        pthread_create(&thread, NULL, hold, NULL);
        while (!taken)
            sched_yield();
    }
    upc_barrier;
    upc_lock(lock);
    int seen = released;
    upc_unlock(lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        pthread_join(thread, NULL);
        printf("%s\n", seen ? "ok" : "the lock was not held");
    }
    return !seen;
}
