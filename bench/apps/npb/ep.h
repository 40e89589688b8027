/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP, the embarrassingly parallel one: pairs of normal deviates by the polar method, counted by
 * square rings. Numbers come in blocks, of which any thread can compute any.
 */
#ifndef NPB_EP_H
#define NPB_EP_H

#include "npb.h"

/* Pairs: 2^EP_M. */
#if CLASS == 'S'
#define EP_M 24
#define EP_X -3.247834652034740e+3
#define EP_Y -6.958407078382297e+3
#elif CLASS == 'W'
#define EP_M 25
#define EP_X -2.863319731645753e+3
#define EP_Y -6.320053679109499e+3
#elif CLASS == 'A'
#define EP_M 28
#define EP_X -4.295875165629892e+3
#define EP_Y -1.580732573678431e+4
#else
#define EP_M 30
#define EP_X 4.033815542441498e+4
#define EP_Y -2.660669192809235e+4
#endif

#define EP_SEED UINT64_C(271828183)

enum { EP_PAIRS = 1 << 16, EP_BLOCKS = 1 << (EP_M - 16), EP_RINGS = 10 }; /* pairs of a block */

/* Sums of the deviates, and the counts of the rings, in doubles: one reduction does for all. */
enum { EP_SUM_X, EP_SUM_Y, EP_COUNTS, EP_TALLIES = EP_COUNTS + EP_RINGS };

/* The seed before the first number of a block. */
static inline uint64_t ep_seed(long block) {
    return npb_skip(EP_SEED, NPB_A, (uint64_t)block * 2 * EP_PAIRS);
}

/* Adds a block's pairs to the tallies; `numbers` has room for them. */
NPB_KERNEL static void ep_add_block(long block, double *numbers, double *tallies) {
    uint64_t seed = ep_seed(block);
    npb_randoms(2 * EP_PAIRS, &seed, NPB_A, numbers);
    double sum_x = 0, sum_y = 0;
    for (int i = 0; i < EP_PAIRS; i++) {
        double x = 2 * numbers[2 * i] - 1, y = 2 * numbers[2 * i + 1] - 1, t = x * x + y * y;
        if (t <= 1) {
            double factor = sqrt(-2 * log(t) / t);
            x *= factor;
            y *= factor;
            tallies[EP_COUNTS + (int)fmax(fabs(x), fabs(y))] += 1;
            sum_x += x;
            sum_y += y;
        }
    }
    tallies[EP_SUM_X] += sum_x;
    tallies[EP_SUM_Y] += sum_y;
}

static inline int ep_finish(const double *tallies, double seconds) {
    int verified = npb_is("the sum of x", tallies[EP_SUM_X], EP_X, 1e-8) &
                   npb_is("the sum of y", tallies[EP_SUM_Y], EP_Y, 1e-8);
    return npb_finish("ep", 2.0 * EP_PAIRS * EP_BLOCKS, seconds, verified);
}

#endif
