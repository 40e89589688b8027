// SPDX-License-Identifier: BSD-3-Clause
/*
 * Strict accesses of one thread to its own shared memory, in cache, against the sequentially
 * consistent atomics of C (strict_ref.c) on malloc's memory.
 */
#include "bench.h"
#include <stdint.h>
#include <upc_relaxed.h>

enum { WORDS = 512, TURNS = 200, ROUNDS = 150 };

long strict_read_ref(const long *words, long n);
void strict_write_ref(long *words, long n);
void strict_change_ref(long *words, long n);

strict shared [] long words[WORDS];

BENCH_KERNEL static long strict_read(strict shared [] long *p, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += p[i % WORDS];
    }
    return sum;
}

BENCH_KERNEL static void strict_write(strict shared [] long *p, long n) {
    for (long i = 0; i < n; i++) {
        p[i % WORDS] = i;
    }
}

BENCH_KERNEL static void strict_change(strict shared [] long *p, long n) {
    for (long i = 0; i < n; i++) {
        p[i % WORDS] += i;
    }
}

static void check(long got, long expected) {
    bench_check(got == expected, "strict: %ld is not %ld", got, expected);
}

static void measure_reads(long *plain, long n) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double t0 = bench_now();
        long sum = strict_read(words, n);
        double t1 = bench_now();
        long expected = strict_read_ref(plain, n);
        double t2 = bench_now();
        check(sum, expected);
        bench_add(&times, t1 - t0);
        bench_add(&ref, t2 - t1);
    }
    bench_rate("strict-read", "GUPS", 1e-9 * (double)n, &times, &ref);
}

static void measure_writes(const char *name, void (*subject)(strict shared [] long *, long),
                           void (*reference)(long *, long), long *plain, long n) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double t0 = bench_now();
        subject(words, n);
        double t1 = bench_now();
        reference(plain, n);
        double t2 = bench_now();
        bench_add(&times, t1 - t0);
        bench_add(&ref, t2 - t1);
    }
    for (int i = 0; i < WORDS; i++) {
        check(words[i], plain[i]);
    }
    bench_rate(name, "GUPS", 1e-9 * (double)n, &times, &ref);
}

int main(void) {
    if (MYTHREAD == 0) {
        long n = (long)WORDS * TURNS;
        long *plain = calloc(WORDS, sizeof *plain);
        measure_writes("strict-write", strict_write, strict_write_ref, plain, n);
        measure_writes("strict-change", strict_change, strict_change_ref, plain, n);
        measure_reads(plain, n);
        free(plain);
    }
    return 0;
}
