/* SPDX-License-Identifier: BSD-3-Clause */
/* farm [TASKS WORK SUMS]: one thread makes many short tasks, which store a result each and, if SUMS
 * is not 0, add it to a sum. */
#include "program.h"

/* Some 1 ns each. */
static uint64_t draw(uint64_t n, long work) {
    for (long i = 0; i < work; i++) {
        n = n * UINT64_C(6364136223846793005) + 1442695040888963407u;
    }
    return n >> 33;
}

static uint64_t *results, sum;

static void make(long tasks, long work, int sums) {
    for (long i = 0; i < tasks; i++) {
#pragma omp task firstprivate(i)
        {
            uint64_t result = draw((uint64_t)i, work);
            results[i] = result;
            if (sums) {
#pragma omp atomic
                sum += result;
            }
        }
    }
}

int main(int argc, char **argv) {
    long tasks = argument(argc, argv, 1, 4000), work = argument(argc, argv, 2, 100000);
    int sums = argument(argc, argv, 3, 0) != 0, checked = wants_check(argc, argv);
    results = allocate((size_t)tasks * sizeof *results);
    double began = bench_now();
#pragma omp parallel
#pragma omp single
    make(tasks, work, sums);
    double seconds = bench_now() - began;
    uint64_t found = 0, right = 0;
    for (long i = 0; i < tasks; i++) {
        found += results[i];
        right += checked ? draw((uint64_t)i, work) : 0;
    }
    bench_check(!sums || sum == found, "the sum is %llu", (unsigned long long)sum);
    report("farm", (double)found, seconds);
    return conclude(checked, found == right);
}
