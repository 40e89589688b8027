/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of a thread's elements of a cyclic array a loop by larger steps comes to: every THREADS-th
 * number is the thread's, every step-th is the loop's. */
#include "upc/abi.h"

#include <limits.h>

/* The x below `modulus` for which a * x leaves 1; they have no common factor (Euclid's algorithm). */
static long inverse(long a, long modulus) {
    long rest = modulus, next_rest = a % modulus, x = 0, next_x = 1;
    while (next_rest) {
        long quotient = rest / next_rest, rest_after = rest % next_rest;
        long x_after = x - quotient * next_x;
        rest = next_rest;
        next_rest = rest_after;
        x = next_x;
        next_x = x_after;
    }
    return x < 0 ? x + modulus : x;
}

static long common_factor(long a, long b) {
    while (b) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

long upcr_own_of_steps(long r, long from, long step, long *blocks) {
    long threads = (long)upcr_threads(), factor = common_factor(threads, step);
    long cycle = step / factor, missing = (from - upcr_my_number() - r * threads) % step;
    missing += missing < 0 ? step : 0;
    *blocks = cycle;
    if (missing % factor != 0) {
        return LONG_MAX;
    }
    __int128 x = (__int128)(missing / factor) * inverse(threads / factor, cycle);
    return r + (long)(x % cycle);
}
