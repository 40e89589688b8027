// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -fopenmp
#include <upc.h>
shared int a[100 * THREADS];
shared long sum;
shared int n;

void work(int);

void wrong(void)
{
    long own = 0;
    #pragma omp parallel for
    upc_forall (int i = 0; i < 100; i++; i) //~ error E0503
        work(i);
    #pragma omp parallel for reduction(+ : own, sum) //~ error E0504
    for (int i = 0; i < 100; i++)
        own += i;
    #pragma omp parallel num_threads(n + 1) //~ error E0504
    work(0);
    #pragma omp atomic
    sum += own; //~ error E0504
    #pragma omp atomic capture
    own = a[3]++; //~ error E0504
}

void right(void)
{
    long own = 0, n = 3;
    #pragma omp parallel for shared(a, sum) reduction(+ : own) num_threads(n) schedule(static, THREADS)
    for (int i = 0; i < 100; i++)
        own += a[i];
    #pragma omp atomic
    own += a[3];
    #pragma omp parallel
    {
        upc_forall (int i = 0; i < 100; i++; i)
            work(i);
    }
}
