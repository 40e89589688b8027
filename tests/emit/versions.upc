// SPDX-License-Identifier: BSD-3-Clause
// Loops in versions: for one host, where all is known to be here, and for anywhere.
//@ flags: -O2
#include <upc_relaxed.h>

shared [8] double a[8 * THREADS];
shared [] double table[16];

double sum(shared [] double *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * table[i & 15];
    return s;
}

void own(shared double *p, int n) {
    upc_forall (int i = 0; i < 8 * THREADS; i++; &a[i])
        a[i] = 1;
    do {
        n++;
    } while (0);
}

double neighbour(void) {
    double s = 0;
    for (int i = 0; i < 8 * THREADS; i++)
        s += a[i];
    return s;
}

int once(shared int *p, int n) {
    while (n > 0) {
        if (*p == n)
            goto found;
        n--;
    }
found:
    for (; n < 4; n++) {
    again:
        if (p[n])
            goto again;
    }
    return n;
}

int together(shared int *p, shared int *q, int i) {
    return p[i] + 2 * *q;
}
