// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 5x1 7x1 2x2 2:4x1
// Dimensions of shared arrays that come from typedefs, with THREADS in any one of them.
#include <string.h>
#include "../../check.h"

enum { N = 4 };
typedef int row[THREADS];
typedef int block[2][3];
typedef shared int srow[THREADS];
typedef row rows[2];
typedef struct { double d; char c; } pair;
typedef pair pairs[(unsigned long)(N * THREADS)];
typedef int (*row_pointer)[THREADS];

shared row a[4];
srow b[3];
shared [*] row c[10];
shared [6] block d[THREADS];
shared [2] rows e[3];
shared pairs f;
static shared row *through = a;

static int sum(int n, row *r)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        for (int t = 0; t < THREADS; t++)
            total += r[i][t];
    return total;
}


int main(void)
{
    typedef int local[2 * THREADS];
    static shared local own[3];
    row private;
    row many[2];
    row_pointer pointer = many;
    CHECK_EQ(sizeof a, 4 * THREADS * sizeof(int));
    CHECK_EQ(sizeof b, 3 * THREADS * sizeof(int));
    CHECK_EQ(sizeof c, 10 * THREADS * sizeof(int));
    CHECK_EQ(sizeof d, 6 * THREADS * sizeof(int));
    CHECK_EQ(sizeof e, 6 * THREADS * sizeof(int));
    CHECK_EQ(sizeof f, N * THREADS * sizeof(pair));
    CHECK_EQ(sizeof own, 6 * THREADS * sizeof(int));
    CHECK_EQ(sizeof private, THREADS * sizeof(int));
    CHECK_EQ(sizeof(row), THREADS * sizeof(int));
    CHECK_EQ(upc_blocksizeof(a), 1);
    CHECK_EQ(upc_blocksizeof(c), 10);
    CHECK_EQ(upc_localsizeof(a), 4 * sizeof(int));
    CHECK_EQ(upc_elemsizeof(e), sizeof(int));
    upc_barrier;
    for (int i = 0; i < 4; i++)
        upc_forall (int t = 0; t < THREADS; t++; &a[i][t])
            a[i][t] = 100 * i + t;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 0; i < 10; i++)
            for (int t = 0; t < THREADS; t++)
                c[i][t] = 1000 * i + t;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++)
                for (int t = 0; t < THREADS; t++)
                    e[i][j][t] = 100 * i + 10 * j + t;
        for (int i = 0; i < N * THREADS; i++)
            f[i].d = i;
        own[2][2 * THREADS - 1] = 77;
    }
    upc_barrier;
    for (int i = 0; i < 4; i++) {
        for (int t = 0; t < THREADS; t++) {
            int number = i * THREADS + t;
            CHECK_EQ(a[i][t], 100 * i + t);
            CHECK_EQ(through[i][t], 100 * i + t);
            CHECK_EQ(upc_threadof(&a[i][t]), number % THREADS);
            CHECK_EQ(upc_threadof(&b[i % 3][t]), (i % 3 * THREADS + t) % THREADS);
        }
    }
    for (int i = 0; i < 10 * THREADS; i++) {
        CHECK_EQ(upc_threadof(&c[i / THREADS][i % THREADS]), i / 10);
        CHECK_EQ(upc_phaseof(&c[i / THREADS][i % THREADS]), i % 10);
        CHECK_EQ(c[i / THREADS][i % THREADS], 1000 * (i / THREADS) + i % THREADS);
    }
    for (int i = 0; i < 6 * THREADS; i++) {
        shared [2] int *p = &e[i / (2 * THREADS)][i / THREADS % 2][i % THREADS];
        CHECK_EQ(upc_threadof(p), i / 2 % THREADS);
        CHECK_EQ(*p, 100 * (i / (2 * THREADS)) + 10 * (i / THREADS % 2) + i % THREADS);
        CHECK_EQ(upc_threadof(&d[i / 6][i / 3 % 2][i % 3]), i / 6);
    }
    CHECK_EQ(f[N * THREADS - 1].d, N * THREADS - 1);
    CHECK_EQ(own[2][2 * THREADS - 1], 77);
    for (int t = 0; t < THREADS; t++)
        many[0][t] = private[t] = t, pointer[1][t] = 2 * t;
    CHECK_EQ(sum(2, many), 3 * THREADS * (THREADS - 1) / 2);
    CHECK_EQ(sum(1, &private), THREADS * (THREADS - 1) / 2);
    upc_barrier;
    return check_done();
}
