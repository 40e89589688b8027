// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2
// A row of which a body with conditions reads no element that it has not: what is fetched ends with the row.
#include <upc_relaxed.h>

enum { N = 100 };

shared [N] double a[THREADS][N];

double left_of_row(int i)
{
    double sum = 0;
    for (int j = 0; j < N; j++)
        if (i > 0 && j > 0)
            sum += a[i - 1][j - 1];
    return sum;
}
