// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 2:2x1 3:5x1 2:2x2
// What a thread has written anywhere is seen by the thread that it signals, in each way of signalling:
// writes to the signalled thread, to one on yet another host, to both, and a put that bears the signal.
// What that has put is seen by all behind a barrier.
#include <bupc_extensions.h>
#include <upc_relaxed.h>
#include <upcx_pairwise.h>
#include "expect.h"

enum { ROUNDS = 300, LONG = 300 };
static shared long first[THREADS], second[THREADS], third[THREADS];
static shared [LONG] long rows[THREADS][LONG];
static bupc_sem_t *shared semaphores[THREADS];

enum way { SIGNAL, POST, PUT, SMALL_PUT, WAYS };

static void signal_to(int to, enum way way, long round) {
    long row[LONG];
    for (int i = 0; i < LONG; i++) {
        row[i] = round + i;
    }
    switch (way) {
    case SIGNAL:
        upcx_signal(to);
        break;
    case POST:
        bupc_sem_post(semaphores[to]);
        break;
    case PUT:
        bupc_memput_signal(&rows[to][0], row, sizeof row, semaphores[to], 1);
        break;
    default:
        bupc_memput_signal(&rows[to][0], row, sizeof(long), semaphores[to], 1);
    }
}

static void await(int from, enum way way) {
    if (way == SIGNAL) {
        upcx_wait(from);
    } else {
        bupc_sem_wait(semaphores[MYTHREAD]);
    }
}

/* Thread 0 writes and signals to the last thread, which looks, and lets it go on. */
int main(void) {
    const int last = THREADS - 1, other = THREADS / 2;
    semaphores[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER);
    upc_barrier;
    for (long round = 1; round <= ROUNDS; round++) {
        enum way way = (enum way)(round % WAYS);
        if (MYTHREAD == 0) {
            first[last] = round;
            if (round % 3 != 0) {
                second[other] = round;
            }
            third[last] = round;
            signal_to(last, way, round);
        }
        if (MYTHREAD == last) {
            await(0, way);
            expect("before", first[last], round);
            expect("after", third[last], round);
            expect("elsewhere", second[other], round - (round % 3 == 0));
            for (int i = 0; i < (way == PUT ? LONG : way == SMALL_PUT ? 1 : 0); i++) {
                expect("row", rows[last][i], round + i);
            }
        }
        upc_barrier;
        for (int i = 0; i < (way == PUT ? LONG : way == SMALL_PUT ? 1 : 0); i++) {
            expect("row, behind a barrier", rows[last][i], round + i);
        }
        upc_barrier;
    }
    bupc_sem_free(semaphores[MYTHREAD]);
    return done();
}
