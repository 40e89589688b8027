/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
/* Random pairs counted by their distance: thread-private state, a reduction of an array and of
 * scalars, partial counts added in a critical construct. Chunks make the same numbers whoever has
 * them. */
#include "../inputs/check.h"

#include <math.h>

enum { CHUNKS = 64, EACH = 2000, RINGS = 10 };

static unsigned long long state;
static long mine[RINGS];
#pragma omp threadprivate(state, mine)

static double next(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static void chunk(int number, double *sum) {
    state = (unsigned long long)number * 77777 + 1;
    for (int i = 0; i < EACH; i++) {
        double x = next(), y = next(), t = x * x + y * y;
        if (t <= 1 && t > 0) {
            double factor = sqrt(-2 * log(t) / t);
            *sum += fabs(x * factor) + fabs(y * factor);
            mine[(int)fmin(RINGS - 1, fmax(fabs(x * factor), fabs(y * factor)))]++;
        }
    }
}

int main(void) {
    long expected[RINGS], by_critical[RINGS] = {0}, by_reduction[RINGS] = {0};
    double once = 0, sum = 0;
    for (int i = 0; i < CHUNKS; i++) {
        chunk(i, &once);
    }
    memcpy(expected, mine, sizeof mine);
    memset(mine, 0, sizeof mine);
#pragma omp parallel copyin(mine)
    {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < CHUNKS; i++) {
            chunk(i, &sum);
        }
#pragma omp critical(rings)
        for (int i = 0; i < RINGS; i++) {
            by_critical[i] += mine[i];
        }
    }
#pragma omp parallel reduction(+ : by_reduction)
    for (int i = 0; i < RINGS; i++) {
        by_reduction[i] += mine[i];
    }
    CHECK(fabs(sum - once) < 1e-9 * once);
    CHECK(memcmp(expected, by_critical, sizeof expected) == 0);
    CHECK(memcmp(expected, by_reduction, sizeof expected) == 0);
    return result();
}
