/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs of this folder share, for OpenMP and MPI alike: arguments, memory, random
 * numbers and the line that reports a run. Each computes what section 5.2 of Y. C. Hu, H. Lu, A. L.
 * Cox, W. Zwaenepoel: OpenMP for Networks of SMPs (2000) describes, of the sizes of its Table I if
 * there are no arguments. The value that it prints does not depend on the number of threads, but
 * for the order of sums.
 */
#ifndef OPENMP_PROGRAM_H
#define OPENMP_PROGRAM_H

#include "../bench.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
#endif

/* The argument of this number, from 1, if there are so many. */
static inline long argument(int argc, char **argv, int number, long otherwise) {
    return number < argc && argv[number][0] != '-' ? atol(argv[number]) : otherwise;
}

/* The last argument is `-check`: the result is also compared with another computation, by one
 * thread; for small sizes. */
static inline int wants_check(int argc, char **argv) {
    return argc > 1 && strcmp(argv[argc - 1], "-check") == 0;
}

/* Memory that several threads use, its blocks apart from other data. Who writes to it most should
 * be who allocates it: there it is near. */
static inline void *allocate(size_t bytes) {
    const size_t unit = 1 << 16;
    void *memory = aligned_alloc(unit, (bytes / unit + 1) * unit);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/* The n-th random number, in [0, 1): any thread can have any of them. (G. L. Steele, D. Lea, C. H.
 * Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.) */
static inline double random_at(uint64_t n) {
    uint64_t z = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Part `me` of n things in `parts` contiguous parts: where it begins. */
static inline long part_begin(long n, long parts, long me) {
    return n / parts * me + (me < n % parts ? me : n % parts);
}

/* The part that thing i is in. */
static inline long part_of(long n, long parts, long i) {
    long least = n / parts, longer = n % parts * (least + 1);
    return i < longer ? i / (least + 1) : n % parts + (i - longer) / least;
}

/* Of things dealt to `of` owners like cards, the first of `own` that is not before `from`. */
static inline long dealt_from(long from, long own, long of) {
    return from + (own + of - from % of) % of;
}

static inline void report(const char *program, double value, double seconds) {
    printf("{\"program\": \"%s\", \"verify\": %.12g, \"seconds\": %.6g}\n", program, value,
           seconds);
    fflush(stdout);
}

/* The end of main: what `-check` has found. */
static inline int conclude(int checked, int right) {
    if (checked) {
        bench_check(right, "another computation gives another one");
        puts("ok");
    }
    return 0;
}

#endif
