// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:2x1 3:5x1 2:2x2
// Pieces that are put without a handle come before the signalling put that follows them, small ones and
// long ones, of which the source is written again only after upc_synci.
#include <bupc_extensions.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include "expect.h"

enum { ROUNDS = 60, PIECES = 40, MOST = 3000 };
static const int lengths[] = {1, 33, 400, MOST};
static shared [] long *shared inbox[THREADS];
static bupc_sem_t *shared full[THREADS], *shared empty[THREADS];
static long out[PIECES * MOST];

int main(void) {
    const int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    inbox[MYTHREAD] = upc_alloc(PIECES * MOST * sizeof(long));
    full[MYTHREAD] = bupc_sem_alloc(0);
    empty[MYTHREAD] = bupc_sem_alloc(0);
    upc_barrier;
    shared [] long *to = inbox[next];
    const long *in = (const long *)inbox[MYTHREAD];
    for (long round = 0; round < ROUNDS; round++) {
        const int length = lengths[round % 4];
        for (int i = 0; i < PIECES; i++) {
            for (int k = 0; k < length; k++) {
                out[i * MOST + k] = round + i + k + MYTHREAD;
            }
        }
        for (int i = 1; i < PIECES; i++) {
            upc_memput_nbi(to + i * MOST, out + i * MOST, (size_t)length * sizeof(long));
        }
        bupc_memput_signal(to, out, (size_t)length * sizeof(long), full[next], 1);
        bupc_sem_wait(full[MYTHREAD]);
        for (int i = 0; i < PIECES; i++) {
            for (int k = 0; k < length; k += 7) {
                expect("a piece", in[i * MOST + k], round + i + k + before);
            }
        }
        upc_synci();
        bupc_sem_post(empty[before]);
        bupc_sem_wait(empty[MYTHREAD]);
    }
    upc_barrier;
    bupc_sem_free(full[MYTHREAD]);
    bupc_sem_free(empty[MYTHREAD]);
    upc_free(inbox[MYTHREAD]);
    return done();
}
