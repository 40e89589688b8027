// SPDX-License-Identifier: BSD-3-Clause
// Fortran in UPC: functions that are bind(c) there are called like those of C, on a thread's own part
// of a shared array.
//
//     upcc fortran.upc fortran.f90 -o fortran
//     upcrun -n 4 ./fortran
#include <stdio.h>
#include <upc.h>

enum { EACH = 50 };

double add_scaled(int n, double a, const double *x, double *y);

shared [EACH] double x[EACH * THREADS], y[EACH * THREADS];
shared double sums[THREADS];

int main(void)
{
    double sum = 0;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &x[i]) {
        x[i] = i;
        y[i] = 1;
    }
    sums[MYTHREAD] = add_scaled(EACH, 2, (double *)&x[EACH * MYTHREAD],
                                (double *)&y[EACH * MYTHREAD]);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        sum += sums[t];
    double n = EACH * THREADS, expected = n + n * (n - 1);
    if (MYTHREAD == 0)
        printf("the sum is %.0f\n%s\n", sum, sum == expected ? "ok" : "wrong");
    return sum != expected;
}
