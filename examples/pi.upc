// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
//@ flags: -lm
/*
 * Pi by Monte Carlo: throw darts at the unit square and count those inside the quarter circle.
 *
 * Shows work that needs no communication until the end: each thread counts in a private
 * variable, writes its sum once into its own element of a shared array, and thread 0 adds up.
 *
 *     pi [darts]
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

shared long hits[THREADS];

/* splitmix64: the next random number of the sequence whose state is *state. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number in [0, 1). */
static double next_fraction(uint64_t *state) {
    return (double)(next_random(state) >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv) {
    long darts = argc > 1 ? atol(argv[1]) : 2000000;
    uint64_t state = 1000003u * (uint64_t)(MYTHREAD + 1);
    long mine = 0, thrown = 0;

    /* Dart i belongs to thread i mod THREADS. */
    for (long i = MYTHREAD; i < darts; i += THREADS) {
        double x = next_fraction(&state), y = next_fraction(&state);
        mine += x * x + y * y < 1;
        thrown++;
    }
    hits[MYTHREAD] = mine;
    printf("thread %d: %ld of %ld inside\n", MYTHREAD, mine, thrown);
    upc_barrier;

    if (MYTHREAD == 0) {
        long all = 0;
        for (int i = 0; i < THREADS; i++) {
            all += hits[i];
        }
        double pi = 4.0 * (double)all / (double)darts;
        double error = fabs(pi - 3.14159265358979);
        /* Six standard deviations of the estimate: 1.64 is that of one dart, times 4. */
        double allowed = 6 * 1.642 / sqrt((double)darts);
        printf("pi is about %.5f, off by %.5f (at most %.5f is expected)\n", pi, error, allowed);
        if (error > allowed) {
            return 1;
        }
        printf("ok\n");
    }
    return 0;
}
