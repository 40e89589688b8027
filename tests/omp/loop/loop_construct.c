/* SPDX-License-Identifier: BSD-3-Clause */
/* loop, order(concurrent), simd and for simd. */
#include "../inputs/check.h"

enum { N = 333 };
static float x[N], y[N];

#pragma omp declare simd
static float twice(float v) {
    return 2 * v;
}

int main(void) {
#pragma omp parallel loop
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
    }
#pragma omp parallel for order(concurrent)
    for (int i = 0; i < N; i++) {
        y[i] = x[i] + 1;
    }
#pragma omp parallel for simd schedule(simd : static, 5)
    for (int i = 0; i < N; i++) {
        y[i] = twice(y[i]);
    }
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        sum += y[i] - 2 * x[i];
    }
    CHECK(sum == 2 * N);
#pragma omp simd safelen(4)
    for (int i = 4; i < N; i++) {
        x[i] = x[i - 4] + 4;
    }
    for (int i = 0; i < N; i++) {
        CHECK(x[i] == (float)i);
    }
    int last = 0;
#pragma omp parallel
#pragma omp loop bind(parallel) lastprivate(last)
    for (last = 0; last < N; last++) {
        y[last] = 3;
    }
    CHECK(last == N && y[N - 1] == 3);
    return result();
}
