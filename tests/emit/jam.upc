// SPDX-License-Identifier: BSD-3-Clause
// Iterations of a loop around a loop that adds up run together, where they know nothing of each other.
//@ flags: -O2 -T=4 -network=smp
#include <upc_relaxed.h>

enum { N = 64 };
shared [N] double a[N][N], b[N][N], c[N][N];

void product(int n) {
    int i, j, k;
    upc_forall (i = 0; i < N; i++; &c[i][0])
        for (j = 0; j < N; j++) {
            double s = 0;
            for (k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

void in_place(int i, int n) {
    for (int j = 0; j < N; j++)
        for (int k = 0; k < n; k++)
            c[i][j] += c[i][k] * b[k][j];
}
