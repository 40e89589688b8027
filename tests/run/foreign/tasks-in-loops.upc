// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2:2x1
//@ flags: -O2 -fopenmp
// OpenMP tasks in loops over shared memory: they may run after the loop has ended, when what it fetched
// in pieces is gone; and directives in loops that list the variables of their statements.
#include <upc_relaxed.h>
#include "../../check.h"

enum { N = 480 };

static shared [12] int a[N * THREADS];

static long by_for(int n)
{
    long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) shared(sum)
            {
#pragma omp atomic
                sum += a[i];
            }
        }
    }
    return sum;
}

static long by_while(int n)
{
    long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        int i = 0;
        while (i < n) {
#pragma omp task firstprivate(i) shared(sum)
            {
#pragma omp atomic
                sum += a[i];
            }
            i++;
        }
    }
    return sum;
}

static long with_a_list(int n)
{
    long sum = 0;
    int i = 0;
    while (i < n) {
#pragma omp parallel num_threads(2) default(none) shared(sum, i, a)
        {
#pragma omp atomic
            sum += a[i];
        }
        i++;
    }
    return sum;
}

int main(void)
{
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i;
    upc_barrier;
    long n = N * THREADS, sum = n * (n - 1) / 2;
    CHECK_EQ(by_for(n), sum);
    CHECK_EQ(by_while(n), sum);
    CHECK_EQ(with_a_list(n), 2 * sum);
    return check_done();
}
