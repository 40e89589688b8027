/* SPDX-License-Identifier: BSD-3-Clause */
/* mgs [VECTORS]: modified Gram-Schmidt (mgs.h). The master normalises a vector, then all threads
 * make the later ones orthogonal to it, each every so many-th, cyclically. */
#include "mgs.h"

static long n;
static float *vectors;

static float *vector(long i) { return vectors + i * n; }

static void fill(void) {
#pragma omp parallel for schedule(static, 1)
    for (long i = 0; i < n; i++) {
        mgs_fill(vector(i), i, n);
    }
}

/* The loop begins at a multiple of the number of threads, that vectors stay with their threads. */
static void orthogonalise(void) {
    const long threads = omp_get_max_threads();
    for (long i = 0; i < n; i++) {
        mgs_normalise(vector(i), n);
#pragma omp parallel for schedule(static, 1)
        for (long j = (i + 1) / threads * threads; j < n; j++) {
            if (j > i) {
                mgs_orthogonalise(vector(j), vector(i), n);
            }
        }
    }
}

static double value(void) {
    double sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        sum += mgs_value(vector(i), i, n);
    }
    return sum;
}

static int is_orthonormal(void) {
    float worst = 0;
    for (long i = 0; i < n; i++) {
        for (long j = 0; j <= i; j++) {
            float error = fabsf(mgs_product(vector(i), vector(j), n) - (i == j));
            worst = error > worst ? error : worst;
        }
    }
    return worst < 1e-4f;
}

int main(int argc, char **argv) {
    n = argument(argc, argv, 1, 2048);
    vectors = allocate((size_t)(n * n) * sizeof(float));
    fill();
    double start = bench_now();
    orthogonalise();
    double seconds = bench_now() - start;
    report("mgs", value(), seconds);
    int checked = wants_check(argc, argv);
    return conclude(checked, checked && is_orthonormal());
}
