// SPDX-License-Identifier: BSD-3-Clause
// C++ in UPC: functions that are extern "C" there are called like those of C, on a thread's own part
// of a shared array.
//
//     upcc cplusplus.upc cplusplus.cc -o cplusplus
//     upcrun -n 4 ./cplusplus
#include <stdbool.h>
#include <stdio.h>
#include <upc.h>

enum { EACH = 101 };

bool median(const double *values, int n, double *median_p);

shared [EACH] double values[EACH * THREADS];
shared double medians[THREADS];

int main(void)
{
    int wrong = 0;
    double own, none;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &values[i])
        values[i] = MYTHREAD + (i * 37 % EACH);
    if (!median((double *)&values[EACH * MYTHREAD], EACH, &own) || median(&none, 0, &none))
        wrong = 1;
    medians[MYTHREAD] = own;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        wrong |= medians[t] != t + EACH / 2;
    if (MYTHREAD == 0)
        printf("%d medians\n%s\n", THREADS, wrong ? "wrong" : "ok");
    return wrong;
}
