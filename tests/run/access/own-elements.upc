// SPDX-License-Identifier: BSD-3-Clause
// Subscripts that say of themselves that an element is the calling thread's: block number MYTHREAD,
// and whole rounds of all threads further. Each is compared with the same element by subscripts that
// do not say so.
//@ mappings: 1x1 3x1 1x5 2x2 7x1 2:4x1
//@ flags: -O2
#include "../../check.h"
#include <upc_relaxed.h>

enum { ROUNDS = 3, ROW = 5 };

shared int cyclic[ROUNDS * THREADS];
shared [ROW] short rows[THREADS][ROW];
shared [ROW] short cubes[ROUNDS][THREADS][ROW];
shared [2 * ROW] short pairs[THREADS][2][ROW];
shared [2 * ROW] short halves[2 * THREADS][ROW]; /* a row is half a block */
shared struct { char a; double b; } records[ROUNDS][THREADS];
strict shared [ROW] int strictly[THREADS][ROW];

static int calls;

static int count(int n) {
    calls++;
    return n;
}

static void check_places(int me) {
    for (int i = 0; i < ROUNDS; i++) {
        long n = i;
        unsigned short narrow = (unsigned short)i;
        CHECK(&cyclic[i * THREADS + MYTHREAD] == &cyclic[i * THREADS + me]);
        CHECK(&cyclic[MYTHREAD + THREADS * n] == &cyclic[i * THREADS + me]);
        CHECK(&cyclic[(narrow * THREADS) + (MYTHREAD)] == &cyclic[i * THREADS + me]);
        CHECK(&records[i][MYTHREAD].b == &records[i][me].b);
        for (int k = 0; k < ROW; k++) {
            CHECK(&cubes[i][MYTHREAD][k] == &cubes[i][me][k]);
            CHECK(&rows[MYTHREAD][k] == &rows[me][k]);
            CHECK(&pairs[MYTHREAD][i % 2][k] == &pairs[me][i % 2][k]);
            CHECK(&halves[MYTHREAD][k] == &halves[me][k]);
        }
    }
}

static void check_accesses(int me) {
    for (int k = 0; k < ROW; k++) {
        rows[MYTHREAD][k] = (short)(10 * me + k);
        rows[MYTHREAD][k] += 1;
        strictly[MYTHREAD][k] = k;
        strictly[MYTHREAD][k]++;
    }
    for (int i = 0; i < ROUNDS; i++) {
        cyclic[i * THREADS + MYTHREAD] = 100 * me;
        cyclic[count(i) * THREADS + MYTHREAD] += i;
    }
    CHECK_EQ(calls, ROUNDS);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        for (int k = 0; k < ROW; k++) {
            CHECK_EQ(rows[t][k], 10 * t + k + 1);
            CHECK_EQ(strictly[t][k], k + 1);
        }
        for (int i = 0; i < ROUNDS; i++) {
            CHECK_EQ(cyclic[i * THREADS + t], 100 * t + i);
        }
    }
}

/* 2^32 is no multiple of most THREADS: an unsigned product that wraps around is no whole round. */
static void check_narrow_product(int me) {
    unsigned wrapping = (unsigned)(((1ul << 32) + (unsigned long)THREADS - 1) / (unsigned long)THREADS);
    unsigned element = wrapping * THREADS + MYTHREAD, same = wrapping * THREADS + (unsigned)me;
    if (element < ROUNDS * THREADS) {
        CHECK(&cyclic[wrapping * THREADS + MYTHREAD] == &cyclic[same]);
    }
}

int main(void) {
    volatile int hidden = MYTHREAD;
    check_places(hidden);
    check_accesses(hidden);
    check_narrow_product(hidden);
    return check_done();
}
