// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fine-grained communication by all threads, in every mix of hosts, processes and pthreads: the
 * programs of Figure 6 in Blagojević, Hargrove, Iancu and Yelick's "Hybrid PGAS Runtime Support
 * for Multicore Nodes" (2010). Random updates; a matrix chain whose columns go round the threads;
 * edge detection that reads its neighbours' rows element by element; one lock for everybody.
 */
#include "bench.h"
#include <upc_relaxed.h>

enum { ROUNDS = 5 };

static void report(const char *name, double begin, struct bench_times *times, double operations) {
    upc_barrier;
    bench_add(times, (bench_now() - begin) / operations);
    if (MYTHREAD == 0 && times->n == ROUNDS) {
        bench_time(name, "us", 1e6, times);
    }
}

enum { WORDS = 1 << 12, UPDATES = 1 << 12 }; /* words of each thread */
static shared unsigned long words[WORDS * THREADS];

static void random_updates(void) {
    unsigned long random = 0x9e3779b97f4a7c15u * (unsigned long)(MYTHREAD + 1);
    for (int i = 0; i < UPDATES / THREADS; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        words[random % (WORDS * THREADS)] ^= random;
    }
}

enum { CHAIN = 24 }; /* more columns than that are not used */
static shared [CHAIN] long cost[CHAIN * THREADS][CHAIN]; /* cost[j][i]: of the matrices i to j */

static void matrix_chain(void) {
    for (int length = 1; length < CHAIN; length++) {
        upc_forall (int j = length; j < CHAIN; j++; &cost[j][0]) {
            int i = j - length;
            long best = -1;
            for (int k = i; k < j; k++) {
                long c = cost[k][i] + cost[j][k + 1] + (i + 1) * (k + 2) * (j + 2);
                best = best < 0 || c < best ? c : best;
            }
            cost[j][i] = best;
        }
        upc_barrier;
    }
}

enum { WIDTH = 128, ROWS = 8 }; /* of each thread */
static shared [WIDTH * ROWS] int before[THREADS * ROWS][WIDTH], after[THREADS * ROWS][WIDTH];

static void edges(void) {
    for (int y = MYTHREAD * ROWS; y < (MYTHREAD + 1) * ROWS; y++) {
        for (int x = 1; y > 0 && y < THREADS * ROWS - 1 && x < WIDTH - 1; x++) {
            int h = before[y - 1][x + 1] + 2 * before[y][x + 1] + before[y + 1][x + 1] -
                    before[y - 1][x - 1] - 2 * before[y][x - 1] - before[y + 1][x - 1];
            int v = before[y + 1][x - 1] + 2 * before[y + 1][x] + before[y + 1][x + 1] -
                    before[y - 1][x - 1] - 2 * before[y - 1][x] - before[y - 1][x + 1];
            after[y][x] = (h < 0 ? -h : h) + (v < 0 ? -v : v);
        }
    }
}

enum { PAIRS = 200 };

static void contended_lock(upc_lock_t *lock) {
    for (int i = 0; i < PAIRS; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
}

int main(void) {
    static struct bench_times updates, chain, sobel, locks;
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int round = 0; round < ROUNDS; round++) {
        upc_barrier;
        double begin = bench_now();
        random_updates();
        report("mix-gups", begin, &updates, UPDATES);
        begin = bench_now();
        matrix_chain();
        report("mix-mcop", begin, &chain, CHAIN * CHAIN * CHAIN / 6.0);
        begin = bench_now();
        edges();
        report("mix-sobel", begin, &sobel, (double)ROWS * WIDTH * THREADS);
        begin = bench_now();
        contended_lock(lock);
        report("mix-lock", begin, &locks, (double)PAIRS * THREADS);
    }
    return 0;
}
