/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations wait for others: one dimension, two, and backwards. */
#include "../inputs/check.h"

enum { N = 60, M = 12 };
static long a[N + 1], grid[M][M], back[N + 1];

/* More loops than anybody writes. */
#define ONE(i) for (int i = 0; i < 1; i++)
#define FOUR(i) ONE(i##0) ONE(i##1) ONE(i##2) ONE(i##3)
#define SIXTEEN FOUR(a) FOUR(b) FOUR(c) FOUR(d)
#define SAME a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3

static long count[M][2];

static void deep(void) {
#pragma omp parallel for ordered(18)
    for (int i = 1; i < M; i++)
        SIXTEEN for (int j = 0; j < 2; j++) {
#pragma omp ordered depend(sink : i - 1, SAME, j)
            count[i][j] = count[i - 1][j] + j + 1;
#pragma omp ordered depend(source)
        }
    CHECK(count[M - 1][0] == M - 1 && count[M - 1][1] == 2 * (M - 1));
}

int main(void) {
    deep();
    a[0] = 1;
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
    for (int i = 1; i <= N; i++) {
        CHECK(a[i] == 1 + (long)i * (i + 1) / 2);
    }
    for (int i = 0; i < M; i++) {
        grid[i][0] = grid[0][i] = 1;
    }
#pragma omp parallel for collapse(2) ordered(2) schedule(static, 1)
    for (int i = 1; i < M; i++) {
        for (int j = 1; j < M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000003;
#pragma omp ordered depend(source)
        }
    }
    long expected[M][M];
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            expected[i][j] =
                i == 0 || j == 0 ? 1 : (expected[i - 1][j] + expected[i][j - 1]) % 1000003;
            CHECK(grid[i][j] == expected[i][j]);
        }
    }
    back[N] = 5;
#pragma omp parallel for ordered(1) schedule(static)
    for (int i = N - 1; i >= 0; i--) {
#pragma omp ordered depend(sink : i + 1)
        back[i] = back[i + 1] + 1;
#pragma omp ordered depend(source)
    }
    CHECK(back[0] == 5 + N);
    return result();
}
