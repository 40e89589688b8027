// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fine-grained communication by all threads, in every mix of hosts, processes and pthreads: the
 * programs of Figure 6 in Blagojević, Hargrove, Iancu and Yelick's "Hybrid PGAS Runtime Support
 * for Multicore Nodes" (2010). Random updates (GUPS); a matrix chain whose columns go round the
 * threads (MCOP); edge detection that reads its neighbours' rows element by element (Sobel); one
 * lock for everybody. Each program repeats its work until a round takes SECONDS.
 *
 *     mixes [SECONDS [WORDS [CHAIN [WIDTH]]]]
 *
 * WORDS: of the table, for each thread, a power of two. CHAIN: matrices. WIDTH: of the image.
 */
#include "bench.h"
#include <bupc_collectivev.h>
#include <upc_relaxed.h>

enum { ROUNDS = 5, MOST_CHAIN = 256, MOST_WIDTH = 2048, ROWS = 16 /* of each thread */ };

static double seconds = 0.05;
static unsigned long table_words = 1 << 14;
static int chain = 48, width = 256;

/* Seconds of so many turns of all threads. */
static double timed(void (*turn)(void), long turns) {
    upc_barrier;
    double begin = bench_now();
    for (long i = 0; i < turns; i++) {
        turn();
    }
    upc_barrier;
    return bench_now() - begin;
}

/* ---- random updates ---- */

enum { UPDATES = 1024 }; /* of each thread in a turn */
static shared unsigned long *words;

static unsigned long first_random(int thread) {
    return 0x9e3779b97f4a7c15u * (unsigned long)(thread + 1);
}

static unsigned long next_random(unsigned long random) {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^ random << 17;
}

/* Two turns update the same words by the same values, and leave them as they were. */
static void random_updates(void) {
    const unsigned long all = table_words * THREADS;
    unsigned long random = first_random(MYTHREAD);
    for (int i = 0; i < UPDATES; i++) {
        random = next_random(random);
        words[random % all] ^= random;
    }
}

/* The own words that are not as they were, or not as one turn leaves them. */
static long wrong_words(int turns) {
    const unsigned long all = table_words * THREADS;
    unsigned long *own = malloc(table_words * sizeof *own);
    bench_check(own != NULL, "mix-gups: no memory");
    for (unsigned long i = 0; i < table_words; i++) {
        own[i] = i * THREADS + MYTHREAD;
    }
    for (int t = 0; turns == 1 && t < THREADS; t++) {
        unsigned long random = first_random(t);
        for (int i = 0; i < UPDATES; i++) {
            random = next_random(random);
            own[random % all / THREADS] ^= random % THREADS == MYTHREAD ? random : 0;
        }
    }
    long wrong = 0;
    for (unsigned long i = 0; i < table_words; i++) {
        wrong += words[i * THREADS + MYTHREAD] != own[i];
        words[i * THREADS + MYTHREAD] = i * THREADS + MYTHREAD;
    }
    free(own);
    return wrong;
}

/* Threads that update a word at once lose an update, which GUPS allows for one in a hundred. */
static void check_updates(long turns) {
    long wrong = bupc_allv_reduce_all(long, wrong_words(0), UPC_ADD);
    bench_check(100 * wrong <= turns * UPDATES * THREADS, "mix-gups: %ld words", wrong);
    for (int t = 0; t < THREADS; t++) { /* one after the other loses nothing */
        if (t == MYTHREAD) {
            random_updates();
        }
        upc_barrier;
    }
    wrong = bupc_allv_reduce_all(long, wrong_words(1), UPC_ADD);
    bench_check(wrong == 0, "mix-gups: %ld words after one turn", wrong);
}

/* ---- matrix chain ---- */

static shared [MOST_CHAIN] long cost[MOST_CHAIN * THREADS][MOST_CHAIN]; /* [j][i]: matrices i to j */

static long size_of(int i) {
    return 3 + i * 37 % 29;
}

static void matrix_chain(void) {
    for (int length = 1; length < chain; length++) {
        upc_forall (int j = length; j < chain; j++; &cost[j][0]) {
            int i = j - length;
            long best = -1;
            for (int k = i; k < j; k++) {
                long c = cost[k][i] + cost[j][k + 1] + size_of(i) * size_of(k + 1) * size_of(j + 1);
                best = best < 0 || c < best ? c : best;
            }
            cost[j][i] = best;
        }
        upc_barrier;
    }
}

static void check_chain(long turns) {
    static long own[MOST_CHAIN][MOST_CHAIN];
    for (int length = 1; length < chain; length++) {
        for (int i = 0, j = length; j < chain; i++, j++) {
            own[j][i] = -1;
            for (int k = i; k < j; k++) {
                long c = own[k][i] + own[j][k + 1] + size_of(i) * size_of(k + 1) * size_of(j + 1);
                own[j][i] = own[j][i] < 0 || c < own[j][i] ? c : own[j][i];
            }
        }
    }
    upc_forall (int j = 1; j < chain; j++; &cost[j][0]) {
        for (int i = 0; i < j; i++) {
            bench_check(turns == 0 || cost[j][i] == own[j][i], "mix-mcop: %d to %d cost %ld", i, j,
                        cost[j][i]);
            cost[j][i] = 0;
        }
    }
}

/* ---- edges ---- */

static shared [MOST_WIDTH * ROWS] int before[THREADS * ROWS][MOST_WIDTH];
static shared [MOST_WIDTH * ROWS] int after[THREADS * ROWS][MOST_WIDTH];

#define EDGE(pixel)                                                                                \
    int h = pixel(y - 1, x + 1) + 2 * pixel(y, x + 1) + pixel(y + 1, x + 1) -                      \
            pixel(y - 1, x - 1) - 2 * pixel(y, x - 1) - pixel(y + 1, x - 1);                       \
    int v = pixel(y + 1, x - 1) + 2 * pixel(y + 1, x) + pixel(y + 1, x + 1) -                      \
            pixel(y - 1, x - 1) - 2 * pixel(y - 1, x) - pixel(y - 1, x + 1);                       \
    int edge = (h < 0 ? -h : h) + (v < 0 ? -v : v);
#define SHARED_PIXEL(y, x) before[y][x]

static int pixel_at(int y, int x) {
    return (y * 31 + x * 17 + y * x) % 251;
}

static void edges(void) {
    for (int y = MYTHREAD * ROWS; y < (MYTHREAD + 1) * ROWS; y++) {
        for (int x = 1; y > 0 && y < THREADS * ROWS - 1 && x < width - 1; x++) {
            EDGE(SHARED_PIXEL)
            after[y][x] = edge;
        }
    }
}

static void check_edges(long turns) {
    for (int y = MYTHREAD * ROWS; y < (MYTHREAD + 1) * ROWS; y++) {
        for (int x = 1; y > 0 && y < THREADS * ROWS - 1 && x < width - 1; x++) {
            EDGE(pixel_at)
            bench_check(turns == 0 || after[y][x] == edge, "mix-sobel: pixel %d in row %d is %d",
                        x, y, after[y][x]);
            after[y][x] = -1;
        }
        for (int x = 0; turns == 0 && x < width; x++) {
            before[y][x] = pixel_at(y, x);
        }
    }
}

/* ---- one lock ---- */

enum { PAIRS = 50 }; /* of each thread in a turn */
static upc_lock_t *lock;

static void contended_lock(void) {
    for (int i = 0; i < PAIRS; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
}

static void check_lock(long turns) {
    static shared long guarded;
    for (int i = 0; turns > 0 && i < PAIRS; i++) {
        upc_lock(lock);
        guarded++;
        upc_unlock(lock);
    }
    upc_barrier;
    long expected = turns > 0 ? (long)PAIRS * THREADS : 0;
    bench_check(guarded == expected, "mix-lock: %ld turns of %ld", guarded, expected);
}

/* ---- all ---- */

/* `check` sets the data up when no turn has been taken, and checks them else. The number of turns
 * is even, for the updates. */
static void measure(const char *name, void (*turn)(void), void (*check)(long turns),
                    double operations) {
    static shared long count;
    struct bench_times times = {{0}, 0};
    check(0);
    double trial = timed(turn, 2);
    if (MYTHREAD == 0) {
        count = 2 * (long)(seconds / trial) + 2;
    }
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&times, timed(turn, count) / ((double)count * operations));
    }
    check(count * ROUNDS + 2);
    if (MYTHREAD == 0) {
        bench_time(name, "us", 1e6, &times);
    }
    upc_barrier;
}

int main(int argc, char **argv) {
    seconds = argc > 1 ? atof(argv[1]) : seconds;
    table_words = argc > 2 ? strtoul(argv[2], NULL, 10) : table_words;
    chain = argc > 3 ? atoi(argv[3]) : chain;
    width = argc > 4 ? atoi(argv[4]) : width;
    if (chain < 2 || chain > MOST_CHAIN || width < 3 || width > MOST_WIDTH) {
        fprintf(stderr, "mixes: CHAIN is 2 to %d, WIDTH 3 to %d\n", MOST_CHAIN, MOST_WIDTH);
        return 2;
    }
    lock = upc_all_lock_alloc();
    words = upc_all_alloc(table_words * THREADS, sizeof *words);
    for (unsigned long i = MYTHREAD; i < table_words * THREADS; i += THREADS) {
        words[i] = i;
    }
    measure("mix-gups", random_updates, check_updates, (double)UPDATES * THREADS);
    measure("mix-mcop", matrix_chain, check_chain, (double)chain * chain * chain / 6.0);
    measure("mix-sobel", edges, check_edges, (double)ROWS * width * THREADS);
    measure("mix-lock", contended_lock, check_lock, (double)PAIRS * THREADS);
    return 0;
}
