// SPDX-License-Identifier: BSD-3-Clause
// Loops by pointers: one that is the index, others that go along, and one into the middle of an array.
//@ flags: -O2 -network=smp
#include <upc_relaxed.h>

#define N 1000
shared double cyclic[N * THREADS];
shared [N] double blocked[N * THREADS];

void by_a_pointer(void) {
    shared [N] double *p;
    upc_forall (p = blocked; p < blocked + N * THREADS; p++; p)
        *p = 1;
}

void by_rounds(void) {
    for (shared double *p = &cyclic[MYTHREAD]; p < &cyclic[N * THREADS]; p += THREADS)
        *p = 1;
}

double along(shared double *p, shared [N] const double *q, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += *p++;
    for (int i = 1; i < n; i++, q++)
        sum += *q;
    return sum;
}

void own(shared double *p, int n) {
    for (int i = 0; i < n; i++, p += THREADS)
        *p = i;
}

void of_a_part(shared [N] double *p, int n) {
    upc_forall (int i = 0; i < n; i++; &p[i]) {
        double *q = (double *)&p[i];
        *q = i;
    }
}
