// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O3
// A row chosen by the loop's own counter is another row in each iteration.
#include "../../check.h"

enum { N = 9, ROWS = 3 };
shared [2 * N] short a[ROWS][N * THREADS];
shared int b[N * THREADS];

int main(void)
{
    int i, n = N * THREADS;
    for (int r = 0; r < ROWS; r++)
        upc_forall(i = 0; i < n; i++; &a[r][i]) a[r][i] = 100 * r + i;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int again = 0; again < 2; again++)
            for (int k = 3; k < n; k++)
                b[k] += a[k % ROWS][k];
        for (i = 3; i < n; i++)
            b[i] -= a[i % ROWS][i];
    }
    upc_barrier;
    for (int k = 3; k < n; k++)
        CHECK_EQ(b[k], 100 * (k % ROWS) + k);
    int sum = 0, expected = 0;
    for (i = 0; i < N; i++) {
        sum += a[i / 4][i];
        expected += 100 * (i / 4) + i;
    }
    CHECK_EQ(sum, expected);
    return check_done();
}
