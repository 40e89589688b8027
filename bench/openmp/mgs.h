/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modified Gram-Schmidt: makes an orthonormal basis of n vectors of n dimensions. Vector after
 * vector gets length 1, then loses its part of all later ones. Single precision, as the paper's
 * counts of bytes say.
 */
#ifndef OPENMP_MGS_H
#define OPENMP_MGS_H

#include "program.h"
#include <math.h>

static inline void mgs_fill(float *vector, long number, long n) {
    for (long i = 0; i < n; i++) {
        /* The diagonal makes sure that there is a basis. */
        vector[i] = (float)random_at((uint64_t)(number * n + i)) - 0.5f + (i == number ? 4 : 0);
    }
}

static inline float mgs_product(const float *a, const float *b, long n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline void mgs_normalise(float *vector, long n) {
    float factor = 1 / sqrtf(mgs_product(vector, vector, n));
    for (long i = 0; i < n; i++) {
        vector[i] *= factor;
    }
}

static inline void mgs_orthogonalise(float *restrict vector, const float *restrict to, long n) {
    float factor = mgs_product(vector, to, n);
    for (long i = 0; i < n; i++) {
        vector[i] -= factor * to[i];
    }
}

/* A vector's part of the value: elements count differently, vectors too. */
static inline double mgs_value(const float *vector, long number, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += vector[i] * (double)(i % 7 + 1);
    }
    return sum * (double)(number % 5 + 1);
}

#endif
