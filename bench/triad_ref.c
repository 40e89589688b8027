// SPDX-License-Identifier: BSD-3-Clause
/* The C side of triad.upc: the same loop, compiled by the C compiler alone. */
#include <stdlib.h>

void triad_ref(double *a, double *b, double *c, double s, long n);
double *triad_ref_alloc(long n);

void triad_ref(double *a, double *b, double *c, double s, long n) {
    for (long i = 0; i < n; i++) {
        a[i] = b[i] + s * c[i];
    }
}

double *triad_ref_alloc(long n) {
    double *p = aligned_alloc(64, ((size_t)n * sizeof(double) + 63) / 64 * 64);
    for (long i = 0; i < n; i++) {
        p[i] = 1.0;
    }
    return p;
}
