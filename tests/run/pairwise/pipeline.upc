// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 7x1 8x1 1x8 2:3x1 2:2x2 3:3x2
/* A pipeline: each thread takes a block from the one before, changes it, and gives it to the next,
 * two blocks ahead of it at most. Blocks that do not wait are out of order or half written. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_pairwise.h>

#define BLOCKS 120
#define WORDS 100
#define AHEAD 2

static shared [] int *shared inbox[THREADS];

int main(void)
{
    int before = MYTHREAD - 1, next = MYTHREAD + 1;
    int block[WORDS];
    inbox[MYTHREAD] = upc_alloc(AHEAD * sizeof block);
    upc_barrier;
    for (int i = 0; i < BLOCKS; i++) {
        if (before < 0) {
            for (int k = 0; k < WORDS; k++)
                block[k] = i * 1000 + k;
        } else {
            upcx_wait(before);
            for (int k = 0; k < WORDS; k++)
                block[k] = inbox[MYTHREAD][i % AHEAD * WORDS + k];
            upcx_signal(before);
        }
        for (int k = 0; k < WORDS; k++)
            block[k] += 1;
        if (next < THREADS) {
            if (i >= AHEAD)
                upcx_wait(next);
            for (int k = 0; k < WORDS; k++)
                inbox[next][i % AHEAD * WORDS + k] = block[k];
            upcx_signal(next);
        } else {
            for (int k = 0; k < WORDS; k++)
                CHECK_EQ(block[k], i * 1000 + k + THREADS);
        }
    }
    return check_done();
}
