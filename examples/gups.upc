// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
//@ args: 16
/*
 * GUPS (random access): giga updates per second of words picked at random from a table that is
 * spread over all threads.
 *
 * Shows the most fine-grained use of shared memory: `table[i] ^= value` is all there is. Two
 * threads may update the same word at once and one update is then lost; the rules of the
 * benchmark allow 1 % of that. The check makes the same updates again: since x ^ v ^ v is x,
 * each word must be back at its first value.
 *
 *     gups [log2-of-words-per-thread [updates-per-word]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define POLYNOMIAL 7u /* of the shift register that makes the random numbers */

shared uint64_t *table; /* private pointer, the same in every thread, to a cyclic array */
shared long wrong[THREADS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* This thread's share of the updates: `n` of them, always the same ones. */
static void update(uint64_t words, uint64_t n) {
    uint64_t random = 0x123456789abcdefu * (2 * (uint64_t)MYTHREAD + 1);
    for (uint64_t i = 0; i < n; i++) {
        random = random << 1 ^ ((int64_t)random < 0 ? POLYNOMIAL : 0);
        table[random % words] ^= random;
    }
}

int main(int argc, char **argv) {
    uint64_t mine = UINT64_C(1) << (argc > 1 ? atoi(argv[1]) : 18);
    uint64_t words = mine * (uint64_t)THREADS;
    uint64_t updates = mine * (argc > 2 ? (uint64_t)atol(argv[2]) : 4);

    table = upc_all_alloc(words, sizeof(uint64_t));
    for (uint64_t i = (uint64_t)MYTHREAD; i < words; i += (uint64_t)THREADS) {
        table[i] = i;
    }
    upc_barrier;
    double begin = now();
    update(words, updates);
    upc_barrier;
    double seconds = now() - begin;

    update(words, updates);
    upc_barrier;
    for (uint64_t i = (uint64_t)MYTHREAD; i < words; i += (uint64_t)THREADS) {
        wrong[MYTHREAD] += table[i] != i;
    }
    upc_barrier;

    if (MYTHREAD == 0) {
        long all = 0;
        for (int t = 0; t < THREADS; t++) {
            all += wrong[t];
        }
        printf("%lu words, %lu updates: %.4f GUPS, %ld words wrong\n", (unsigned long)words,
               (unsigned long)(updates * (uint64_t)THREADS),
               1e-9 * (double)updates * THREADS / seconds, all);
        /* A single thread loses nothing. */
        if ((uint64_t)all * 100 > words || (THREADS == 1 && all)) {
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    upc_all_free(table);
    return 0;
}
