// SPDX-License-Identifier: BSD-3-Clause
// Loops that fetch what they read of other hosts in pieces, and one that may not: it may end early.
//@ flags: -O2
#include <upc_relaxed.h>

double sum(shared [] double *p, shared [] int *q, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * q[i - 1];
    return s;
}

int until(shared [] int *p, int n) {
    int i;
    for (i = 0; i < n; i++) {
        if (p[i])
            break;
    }
    return i;
}
