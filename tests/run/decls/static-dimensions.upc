// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 4
//@ mappings: 4x1 1x4 2x2
// What programs for a fixed number of threads do with THREADS.
#include "../../check.h"

#define N 16
shared [N * N / THREADS] int a[N][N];
shared [N / THREADS] double b[N];
shared [THREADS] char c[THREADS * THREADS];
shared [N] int d[N][N];
shared int e[N];
shared [] int f[THREADS];
static int per_thread[N / THREADS];
#if THREADS == 4
shared [2] int only_four[THREADS + 3];
#endif
struct local { int rows[N / THREADS][N]; };

int main(void)
{
    upc_forall(int i = 0; i < N; i++; &a[i][0])
        for (int j = 0; j < N; j++) {
            CHECK_EQ(upc_threadof(&a[i][j]), MYTHREAD);
            a[i][j] = N * i + j;
        }
    upc_forall(int i = 0; i < N; i++; i * THREADS / N) {
        CHECK_EQ(upc_threadof(&a[i][3]), MYTHREAD);
        CHECK_EQ(upc_threadof(&b[i]), MYTHREAD);
    }
    upc_barrier;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(a[i][N - 1], N * i + N - 1);
        CHECK_EQ(upc_threadof(&d[i][5]), i % 4);
        CHECK_EQ(upc_threadof(&c[i]), i / 4);
    }
    struct local *mine = (struct local *)&a[MYTHREAD * N / THREADS][0];
    CHECK_EQ(mine->rows[1][2], N * (MYTHREAD * N / THREADS + 1) + 2);
    CHECK_EQ(sizeof per_thread, N / THREADS * sizeof(int));
    CHECK_EQ(upc_threadof(&only_four[6]), 3);
    CHECK_EQ(sizeof a + sizeof e + sizeof f, (N * N + N + 4) * sizeof(int));
    switch (MYTHREAD) {
    case THREADS - 1:
        CHECK_EQ(MYTHREAD, 3);
        break;
    case THREADS:
        CHECK(0);
    }
    return check_done();
}
