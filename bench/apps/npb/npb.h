/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the NAS Parallel Benchmarks of this folder share: classes, codings, random numbers, and the
 * end of a run. Written after D. Bailey and others: The NAS Parallel Benchmarks (RNR-94-007) and
 * The NAS Parallel Benchmarks 2.0 (NAS-95-020); sizes and official values are those of NPB 3.4.
 * Plain C, for UPC, OpenMP and MPI alike; keeps no state.
 *
 * -DCLASS="'S'" chooses the problem's size: 'S', 'W', 'A' or 'B', which #if can compare.
 * -DCODING=FINE, CAST or BULK chooses how a UPC program accesses shared memory.
 */
#ifndef NPB_H
#define NPB_H

#include "../../bench.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CLASS
#define CLASS 'S'
#endif
#if CLASS != 'S' && CLASS != 'W' && CLASS != 'A' && CLASS != 'B'
#error "there are the classes 'S', 'W', 'A' and 'B'"
#endif

/* The codings that the papers compare. */
#define FINE 1 /* all that threads share is accessed element by element, as shared */
#define CAST 2 /* as FINE, but own parts through pointers to private */
#define BULK 3 /* as CAST, but other threads' parts by bulk transfers and collective operations */

#ifndef CODING
#define CODING BULK
#endif
#if CODING != FINE && CODING != CAST && CODING != BULK
#error "there are the codings FINE, CAST and BULK"
#endif

/* Own parts: NPB_OWN double * is `shared [] double *` in FINE, and private elsewhere. A pointer to
 * shared memory of this thread can be cast to either. */
#if defined __UPC__ && CODING == FINE
#define NPB_OWN shared []
#else
#define NPB_OWN
#endif

/* The end of a measurement's name, unless a program defines another; OpenMP and MPI have one way
 * only. */
#ifdef NPB_WAY
#elif !defined __UPC__
#define NPB_WAY ""
#elif CODING == FINE
#define NPB_WAY "-fine"
#elif CODING == CAST
#define NPB_WAY "-cast"
#else
#define NPB_WAY "-bulk"
#endif

/* Work for a compiler to see as it stands: the same machine code in each of the programs. */
#define NPB_KERNEL __attribute__((unused)) BENCH_KERNEL

/* Random numbers: x' = a x mod 2^46, of which x / 2^46 is the number in (0, 1). Integers of 64 bits
 * have the very values of NPB's arithmetic in halves of doubles. */
#define NPB_A UINT64_C(1220703125) /* 5^13 */
#define NPB_SEED UINT64_C(314159265)
#define NPB_MASK ((UINT64_C(1) << 46) - 1)
#define NPB_R46 0x1p-46

/* NPB's randlc: steps the seed, and returns its number. */
static inline double npb_random(uint64_t *seed, uint64_t a) {
    *seed = *seed * a & NPB_MASK;
    return NPB_R46 * (double)*seed;
}

/* NPB's vranlc: n numbers. */
static inline void npb_randoms(size_t n, uint64_t *seed, uint64_t a, double *numbers) {
    uint64_t x = *seed;
    for (size_t i = 0; i < n; i++) {
        x = x * a & NPB_MASK;
        numbers[i] = NPB_R46 * (double)x;
    }
    *seed = x;
}

/* a^n mod 2^46: as a factor it steps over n numbers at once. */
static inline uint64_t npb_power(uint64_t a, uint64_t n) {
    uint64_t power = 1;
    for (; n; n >>= 1, a = a * a & NPB_MASK) {
        power = n & 1 ? power * a & NPB_MASK : power;
    }
    return power;
}

/* The seed before number n, from 0, of those that `seed` begins. */
static inline uint64_t npb_skip(uint64_t seed, uint64_t a, uint64_t n) {
    return seed * npb_power(a, n) & NPB_MASK;
}

/* Part `part` of n things in `parts` contiguous parts: where it begins. */
static inline long npb_begin(long n, long parts, long part) {
    return n / parts * part + (part < n % parts ? part : n % parts);
}

/* Whether a value is the official one, but for a relative error of epsilon; says so if it is not. */
static inline int npb_is(const char *what, double value, double official, double epsilon) {
    int is = fabs(value - official) <= epsilon * fabs(official);
    if (!is) {
        fprintf(stderr, "npb: %s is %.15g, not %.15g\n", what, value, official);
    }
    return is;
}

/* Ends a run, in one thread: prints the rate of `operations` in `seconds` as bench.toml wants it,
 * under `npb-KERNEL.CLASS-CODING`. Returns what main should; ends the program if the result is not the
 * official one. */
static inline int npb_finish(const char *kernel, double operations, double seconds, int verified) {
    bench_check(verified, "npb: %s of class %c%s: verification failed", kernel, CLASS, NPB_WAY);
    printf("{\"name\": \"npb-%s.%c%s\", \"unit\": \"Mop/s\", \"value\": %.6g, \"seconds\": %.6g}\n",
           kernel, CLASS, NPB_WAY, 1e-6 * operations / seconds, seconds);
    fflush(stdout);
    return 0;
}

/* Ends a program that cannot run so: with numbers of threads that do not suit it, for example. */
static inline int npb_refuse(const char *kernel, const char *why, int threads) {
    fprintf(stderr, "npb: %s does not run with %d threads: %s\n", kernel, threads, why);
    return 2;
}

#endif
