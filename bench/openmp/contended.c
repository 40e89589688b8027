/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that all threads write to in no order, by atomic operations and under locks: a histogram, sums
 * in a large table, a table that keys are inserted into, a breadth-first search that claims vertices,
 * counters under locks; and counters of each thread, beside each other. Times are for one operation of
 * one thread, of all that the threads do together.
 */
#include "../bench.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { ROUNDS = 5, ITEMS = 20000, BINS = 4096, SLOTS = 1 << 15, SUMS = 1 << 17, OWN = 64,
       VERTICES = 5000, DEGREE = 8, LOCKS = 64 };

/* Any of all numbers, the same one for the same i. */
static uint32_t scattered(uint32_t i) {
    i = (i ^ i >> 16) * 0x85ebca6bu;
    i = (i ^ i >> 13) * 0xc2b2ae35u;
    return i ^ i >> 16;
}

static void *cleared(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

static void expect(const char *what, long found, long expected) {
    bench_check(found == expected, "%s: %ld instead of %ld", what, found, expected);
}

static double histogram(void) {
    int *bins = cleared(BINS * sizeof *bins);
    double begin = bench_now();
#pragma omp parallel for
    for (int i = 0; i < ITEMS; i++) {
#pragma omp atomic
        bins[scattered((uint32_t)i) % BINS]++;
    }
    double seconds = (bench_now() - begin) / ITEMS;
    long sum = 0;
    for (int i = 0; i < BINS; i++) {
        sum += bins[i];
    }
    expect("histogram", sum, ITEMS);
    free(bins);
    return seconds;
}

static double sums(void) {
    double *table = cleared(SUMS * sizeof *table), sum = 0;
    double begin = bench_now();
#pragma omp parallel for
    for (int i = 0; i < ITEMS; i++) {
#pragma omp atomic
        table[scattered((uint32_t)i) % SUMS] += 0.5;
    }
    double seconds = (bench_now() - begin) / ITEMS;
    for (int i = 0; i < SUMS; i++) {
        sum += table[i];
    }
    expect("sums", (long)sum, ITEMS / 2);
    free(table);
    return seconds;
}

/* Nobody else's, but in pages with others'. */
static double own(void) {
    int threads = omp_get_max_threads() * 64;
    int *counters = cleared((size_t)threads * OWN * sizeof *counters);
    long sum = 0;
    double begin = bench_now();
#pragma omp parallel
    for (int i = 0; i < ITEMS; i++) {
#pragma omp atomic
        counters[omp_get_thread_num() * OWN]++;
    }
    double seconds = (bench_now() - begin) / ITEMS;
    for (int i = 0; i < threads; i++) {
        sum += counters[i * OWN] % ITEMS;
    }
    expect("counters of other threads", sum, 0);
    expect("the first counter", counters[0], ITEMS);
    free(counters);
    return seconds;
}

static double insertions(void) {
    long *slots = cleared(SLOTS * sizeof *slots), missing = 0;
    double begin = bench_now();
#pragma omp parallel for
    for (long key = 1; key <= ITEMS; key++) {
        uint32_t slot = scattered((uint32_t)key) % SLOTS;
        for (long none = 0; !__atomic_compare_exchange_n(&slots[slot], &none, key, 0,
                                                         __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
             none = 0) {
            slot = (slot + 1) % SLOTS;
        }
    }
    double seconds = (bench_now() - begin) / ITEMS;
#pragma omp parallel for reduction(+ : missing)
    for (long key = 1; key <= ITEMS; key++) {
        uint32_t slot = scattered((uint32_t)key) % SLOTS;
        while (slots[slot] && slots[slot] != key) {
            slot = (slot + 1) % SLOTS;
        }
        missing += slots[slot] != key;
    }
    expect("keys that are missing", missing, 0);
    free(slots);
    return seconds;
}

/* One level after the other, each vertex by who claims it. */
static double search(void) {
    int *parents = cleared(VERTICES * sizeof *parents), *level = cleared(VERTICES * sizeof *level),
        *next = cleared(VERTICES * sizeof *next), n = 1, found = 1;
    memset(parents, -1, VERTICES * sizeof *parents);
    parents[0] = level[0] = 0;
    double begin = bench_now();
    while (n > 0) {
        int n_next = 0;
#pragma omp parallel
        {
            int *own = cleared(VERTICES * sizeof *own), n_own = 0, at;
#pragma omp for nowait
            for (int i = 0; i < n; i++) {
                for (int edge = 0; edge < DEGREE; edge++) {
                    uint32_t to = scattered((uint32_t)(level[i] * DEGREE + edge)) % VERTICES;
                    if (parents[to] < 0 && __sync_bool_compare_and_swap(&parents[to], -1, level[i])) {
                        own[n_own++] = (int)to;
                    }
                }
            }
#pragma omp atomic capture
            { at = n_next; n_next += n_own; }
            memcpy(next + at, own, (size_t)n_own * sizeof *own);
            free(own);
        }
        int *done = level;
        level = next;
        next = done;
        n = n_next;
        found += n;
    }
    double seconds = (bench_now() - begin) / (VERTICES * DEGREE);
    long reached = 0;
    for (int i = 0; i < VERTICES; i++) {
        reached += parents[i] >= 0;
    }
    expect("vertices", found, reached);
    free(parents);
    free(level);
    free(next);
    return seconds;
}

static double locked(void) {
    static omp_lock_t locks[LOCKS];
    static long counters[LOCKS];
    memset(counters, 0, sizeof counters);
    for (int i = 0; i < LOCKS; i++) {
        omp_init_lock(&locks[i]);
    }
    double begin = bench_now();
#pragma omp parallel for
    for (int i = 0; i < ITEMS; i++) {
        uint32_t which = scattered((uint32_t)i) % LOCKS;
        omp_set_lock(&locks[which]);
        counters[which]++;
        omp_unset_lock(&locks[which]);
    }
    double seconds = (bench_now() - begin) / ITEMS;
    long sum = 0;
    for (int i = 0; i < LOCKS; i++) {
        sum += counters[i];
        omp_destroy_lock(&locks[i]);
    }
    expect("counters", sum, ITEMS);
    return seconds;
}

int main(void) {
    static const struct {
        const char *name;
        double (*run)(void);
    } all[] = {{"contended-histogram", histogram},
               {"contended-sums", sums},
               {"contended-own", own},
               {"contended-insertions", insertions},
               {"contended-search", search},
               {"contended-locks", locked}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct bench_times times = {{0}, 0};
        for (int round = 0; round < ROUNDS; round++) {
            bench_add(&times, all[i].run());
        }
        bench_time(all[i].name, "us", 1e6, &times);
    }
    return 0;
}
