// SPDX-License-Identifier: BSD-3-Clause
// Loops that collect addresses before they fetch what is there; those that may not, as they read what
// they write, or write what leads them; and updates that are sent, not fetched.
//@ flags: -O2
#include <upc_relaxed.h>

shared [100] double a[100 * THREADS], b[100 * THREADS];
shared long counts[100 * THREADS];

double gather(int *idx, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[idx[i]];
    return s;
}

double some(int *idx, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        int j = idx[i], k = j / 2;
        if (j >= 0)
            s += a[k];
    }
    return s;
}

void copy(double *y, int *idx, int n) {
    for (int i = 0; i < n; i++)
        y[i] = a[idx[i]];
}

void renumber(int *y, int *idx, int n) {
    for (int i = 0; i < n; i++)
        y[i] = counts[idx[i]];
}

void change(int *idx, int n) {
    for (int i = 0; i < n; i++)
        a[i] = a[idx[i]];
}

void histogram(int *k, int n) {
    for (int i = 0; i < n; i++)
        counts[k[i]]++;
}

void updates(int i, double x, float y) {
    b[i] += x;
    b[i] -= y;
    b[i] *= 2;
    counts[i] ^= i;
    counts[i] += x;
}

double beside(long first, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[first + i];
    return s;
}
