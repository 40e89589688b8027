// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3 3x1 2x2
// A write that any construct releases is seen by a flush that follows it in time, which need not stand
// in the same construct: a thread waits by flushes alone until another has gone on to a barrier, a
// critical construct, an atomic one on another variable, or a lock, and stays there.
#include <omp.h>
#include <stdio.h>

enum how { BARRIER, CRITICAL, ATOMIC, LOCK, HOWS };

static volatile int flag;
static int data, other, count;
static volatile int seen;
static omp_lock_t lock;

static void release(enum how how) {
    if (how == CRITICAL) {
#pragma omp critical
        other++;
    } else if (how == ATOMIC) {
#pragma omp atomic
        count++;
    } else if (how == LOCK) {
        omp_set_lock(&lock);
        other++;
        omp_unset_lock(&lock);
    }
}

static void wait_for(volatile int *what) {
    while (!*what) {
#pragma omp flush
    }
#pragma omp flush
}

int main(void) {
    int bad = 0;
    omp_init_lock(&lock);
    for (int how = BARRIER; how < HOWS; how++) {
        flag = seen = data = 0;
#pragma omp parallel reduction(+ : bad)
        {
            int last = omp_get_num_threads() - 1;
            if (omp_get_thread_num() == 0) {
                data = 42;
                flag = 1;
                release(how);
                if (how != BARRIER && last > 0) {
                    wait_for(&seen);
                }
            }
            if (omp_get_thread_num() == last) {
                wait_for(&flag);
                bad += data != 42;
                seen = 1;
#pragma omp flush
            }
#pragma omp barrier
        }
    }
    omp_destroy_lock(&lock);
    puts(bad ? "a flush does not see what was released before it" : "ok");
    return bad != 0;
}
