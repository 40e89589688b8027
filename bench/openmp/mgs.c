/* SPDX-License-Identifier: BSD-3-Clause */
/* mgs [VECTORS]: modified Gram-Schmidt (mgs.h). The master normalises a vector, then all threads
 * make the later ones orthogonal to it, each every so many-th, cyclically. */
#include "mgs.h"

static long n;
static int threads;
static float **shares; /* a thread's vectors, which it allocates */

static float *vector(long i) { return shares[i % threads] + i / threads * n; }

static void start(void) {
    threads = omp_get_max_threads();
    shares = allocate((size_t)threads * sizeof *shares);
#pragma omp parallel num_threads(threads)
    {
        const long me = omp_get_thread_num();
        shares[me] = allocate((size_t)((n / threads + 1) * n) * sizeof(float));
        for (long i = me; i < n; i += threads) {
            mgs_fill(vector(i), i, n);
        }
    }
}

/* Threads count the vectors themselves: a variable of the master they would have to fetch. The loop
 * begins at a multiple of their number, so that vectors stay with their threads. */
static long next;
#pragma omp threadprivate(next)

static void orthogonalise(void) {
    for (long n_done = 0; n_done < n; n_done++) {
        mgs_normalise(vector(n_done), n);
#pragma omp parallel num_threads(threads)
        {
            const long i = next++;
#pragma omp for schedule(static, 1) nowait
            for (long j = (i + 1) / threads * threads; j < n; j++) {
                if (j > i) {
                    mgs_orthogonalise(vector(j), vector(i), n);
                }
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
    start();
    double began = bench_now();
    orthogonalise();
    double seconds = bench_now() - began;
    report("mgs", value(), seconds);
    int checked = wants_check(argc, argv);
    return conclude(checked, checked && is_orthonormal());
}
