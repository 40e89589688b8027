// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random updates by all threads of a table that all have a part of, over several hosts: as they are
 * written first, one by one, against versions whose writer has sorted them by thread, sent them in
 * large pieces, and let the threads do them that have the words. Each update of these is eight bytes;
 * what a program must send that is not written for one table is more.
 *
 *     updates [WORDS [UPDATES [SUFFIX]]]
 *
 * WORDS: of each thread's part, a power of two. UPDATES: of each thread in a round. SUFFIX: of what is
 * printed.
 */
#include "bench.h"
#include <stdint.h>
#include <string.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

enum { ROUNDS = 9, PIECE = 8192 /* updates before the hand-written versions exchange them */ };

static const char *suffix = "";
static uint64_t words = 1 << 16, updates = 1 << 17, mask;
static shared uint64_t *table;
static upc_atomicdomain_t *domain;

/* For each of two turns and each thread, how many updates it has sent, and these. */
enum { SLOT = 1 + PIECE };
static shared [] uint64_t *shared inboxes[THREADS];
static shared [] uint64_t **inbox_of; /* a private copy */
static uint64_t *inbox;
static uint64_t (*bucket)[SLOT]; /* [thread]; begins with their number */

static uint64_t next_random(uint64_t random) {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^ random << 17;
}

static uint64_t first_random(int thread) {
    return 0x9e3779b97f4a7c15u * (uint64_t)(thread + 1);
}

/* ---- one by one ---- */

BENCH_KERNEL static void xor_each(uint64_t random, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        random = next_random(random);
        table[random & mask] ^= random;
    }
}

BENCH_KERNEL static void xor_atomic(uint64_t random, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        random = next_random(random);
        upc_atomic_relaxed(domain, NULL, UPC_XOR, &table[random & mask], &random, NULL);
    }
}

BENCH_KERNEL static void count_each(uint64_t random, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        random = next_random(random);
        table[random & mask] += 1;
    }
}

/* ---- by hand ---- */

static void exchange(int parity) {
    for (int i = 1; i < THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        upc_memput_nbi(&inbox_of[t][(parity * THREADS + MYTHREAD) * SLOT], bucket[t],
                       (1 + bucket[t][0]) * sizeof(uint64_t));
    }
    upc_synci();
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        bucket[t][0] = 0;
    }
}

#define BY_HAND(name, update)                                                                      \
    BENCH_KERNEL static void name(uint64_t random, uint64_t n) {                                   \
        uint64_t *own = (uint64_t *)&table[MYTHREAD];                                              \
        for (uint64_t done = 0; done < n; done += PIECE) {                                         \
            int parity = done / PIECE % 2;                                                         \
            for (int i = 0; i < PIECE; i++) {                                                      \
                random = next_random(random);                                                      \
                int t = (int)(random % THREADS);                                                   \
                if (t == MYTHREAD) {                                                               \
                    uint64_t value = random;                                                       \
                    own[(value & mask) / THREADS] update;                                          \
                } else {                                                                           \
                    bucket[t][++bucket[t][0]] = random;                                            \
                }                                                                                  \
            }                                                                                      \
            exchange(parity);                                                                      \
            for (int t = 0; t < THREADS; t++) {                                                    \
                const uint64_t *piece = &inbox[(parity * THREADS + t) * SLOT];                     \
                uint64_t count = t == MYTHREAD ? 0 : piece[0];                                     \
                for (uint64_t i = 1; i <= count; i++) {                                            \
                    uint64_t value = piece[i];                                                     \
                    own[(value & mask) / THREADS] update;                                          \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
BY_HAND(xor_by_hand, ^= value)
BY_HAND(count_by_hand, += (value, 1))

/* ---- what is measured ---- */

static double timed(void (*run)(uint64_t random, uint64_t n)) {
    upc_barrier;
    double begin = bench_now();
    run(first_random(MYTHREAD), updates);
    upc_barrier;
    return bench_now() - begin;
}

/* What `run` leaves in the own part, against the same without other hosts. Threads that update a word
 * at once lose an update, of which one in a hundred is allowed, unless they are atomic. */
static void check(const char *name, void (*run)(uint64_t random, uint64_t n), int is_xor, int exact) {
    uint64_t *own = (uint64_t *)&table[MYTHREAD], *expected = calloc(words, sizeof *expected);
    bench_check(expected != NULL, "%s: no memory", name);
    memset(own, 0, words * sizeof *own);
    timed(run);
    for (int t = 0; t < THREADS; t++) {
        uint64_t random = first_random(t);
        for (uint64_t i = 0; i < updates; i++) {
            random = next_random(random);
            if (random % THREADS == (uint64_t)MYTHREAD) {
                uint64_t *word = &expected[(random & mask) / THREADS];
                *word = is_xor ? *word ^ random : *word + 1;
            }
        }
    }
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < words; i++) {
        wrong += own[i] != expected[i];
    }
    free(expected);
    bench_check(exact ? wrong == 0 : 100 * wrong <= words, "%s: %lu words of thread %d differ", name,
                (unsigned long)wrong, MYTHREAD);
    upc_barrier;
}

static void measure(const char *name, void (*run)(uint64_t random, uint64_t n),
                    void (*by_hand)(uint64_t random, uint64_t n), int is_xor, int exact) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    check(name, run, is_xor, exact);
    check(name, by_hand, is_xor, 1);
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&times, timed(run));
        bench_add(&ref, timed(by_hand));
    }
    if (MYTHREAD == 0) {
        char whole[64];
        snprintf(whole, sizeof whole, "%s%s", name, suffix);
        bench_rate(whole, "M/s", 1e-6 * (double)(updates * THREADS), &times, &ref);
    }
}

int main(int argc, char **argv) {
    words = argc > 1 ? strtoull(argv[1], NULL, 0) : words;
    updates = argc > 2 ? strtoull(argv[2], NULL, 0) : updates;
    suffix = argc > 3 ? argv[3] : suffix;
    mask = words * THREADS - 1;
    bench_check((mask & (mask + 1)) == 0, "THREADS and WORDS must be powers of two");
    table = upc_all_alloc(words * THREADS, sizeof(uint64_t));
    domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_XOR, 0);
    inboxes[MYTHREAD] = upc_alloc(2 * THREADS * SLOT * sizeof(uint64_t));
    inbox = (uint64_t *)inboxes[MYTHREAD];
    inbox_of = malloc(THREADS * sizeof *inbox_of);
    bucket = malloc(THREADS * sizeof *bucket);
    bench_check(inbox_of && bucket, "no memory");
    for (int t = 0; t < THREADS; t++) {
        bucket[t][0] = 0;
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        inbox_of[t] = inboxes[t];
    }
    upc_barrier;
    measure("updates-atomic", xor_atomic, xor_by_hand, 1, 1);
    measure("updates-xor", xor_each, xor_by_hand, 1, 0);
    measure("updates-count", count_each, count_by_hand, 0, 0);
    return 0;
}
