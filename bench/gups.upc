// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random updates of a cyclic table by one thread, against C (gups_ref.c) on malloc's memory.
 * Compile with and without -T=1: THREADS known or not.
 */
#include "bench.h"
#include <stdint.h>
#include <upc_relaxed.h>

void gups_ref(uint64_t *table, uint64_t mask, uint64_t n);

BENCH_KERNEL static void gups(shared uint64_t *table, uint64_t mask, uint64_t n) {
    uint64_t random = 0x123456789abcdefu;
    for (uint64_t i = 0; i < n; i++) {
        random = random << 1 ^ ((int64_t)random < 0 ? 7u : 0);
        table[random & mask] ^= random;
    }
}

static void measure(const char *name, uint64_t words, uint64_t updates, int rounds) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    shared uint64_t *table = upc_global_alloc(words, sizeof(uint64_t));
    uint64_t *plain = malloc(words * sizeof(uint64_t));
    for (uint64_t i = 0; i < words; i++) {
        table[i] = i;
        plain[i] = i;
    }
    for (int round = 0; round < rounds; round++) {
        double t0 = bench_now();
        gups(table, words - 1, updates);
        double t1 = bench_now();
        gups_ref(plain, words - 1, updates);
        double t2 = bench_now();
        bench_add(&times, t1 - t0);
        bench_add(&ref, t2 - t1);
    }
    for (uint64_t i = 0; i < words; i++) {
        bench_check(table[i] == plain[i], "%s: word %lu differs", name, (unsigned long)i);
    }
    bench_rate(name, "GUPS", 1e-9 * (double)updates, &times, &ref);
    upc_free(table);
    free(plain);
}

int main(void) {
    if (MYTHREAD == 0) {
        measure("gups-cache", UINT64_C(1) << 12, 1 << 17, 150);
        measure("gups-memory", UINT64_C(1) << 23, 1 << 18, 60);
    }
    return 0;
}
