// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1
//@ flags: -O2 -fopenmp
// A loop behind a pragma stays a `for` loop, whatever it does with shared objects; clauses may name
// THREADS, MYTHREAD and, in `shared`, shared objects.
#include <stdio.h>
#include <upc_relaxed.h>

enum { N = 64 };
shared [N] int row[THREADS][N];
shared int cyclic[N * THREADS];
strict shared int limit;
shared int total;

int main(void)
{
    int bad = 0;
    long sum = 0;
    limit = N;
    upc_barrier;
    #pragma omp parallel for shared(row) num_threads(THREADS + 2)
    for (int i = 0; i < N; i++)
        row[MYTHREAD][i] = i;
    #pragma omp parallel for collapse(2) reduction(+ : sum) shared(row, total) \
        schedule(static, 1 + MYTHREAD)
    for (int t = 0; t < 1; t++)
        for (int i = 0; i < N; i++)
            sum += row[MYTHREAD][i] + total;
    bad += sum != N * (N - 1) / 2;

    #pragma omp parallel for
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        cyclic[i] = i;
    upc_barrier;
    sum = 0;
    _Pragma("omp parallel for reduction(+ : sum) num_threads(3)")
    for (int i = 0; i < N * THREADS; i++)
        sum += cyclic[i];
    bad += sum != (long)N * THREADS * (N * THREADS - 1) / 2;

    sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        if (limit == N)
            sum++;
    bad += sum != N;

    /* A team inside a loop that has versions, and inside upc_forall. */
    sum = 0;
    for (int t = 0; t < THREADS; t++) {
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += row[t][i];
    }
    bad += sum != (long)THREADS * N * (N - 1) / 2;
    sum = 0;
    upc_forall (int t = 0; t < THREADS; t++; t) {
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++) {
            int j;
            upc_forall (j = 0; j < N; j++; j)
                sum += row[t][i];
        }
    }
    bad += sum != (long)N * N * (N - 1) / 2;

    #pragma omp simd reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += row[MYTHREAD][i];
    #pragma GCC ivdep
    for (int i = 0; i < N; i++)
        sum -= row[MYTHREAD][i];
    bad += sum != (long)N * N * (N - 1) / 2;
    upc_barrier;
    if (bad)
        printf("thread %d: %d wrong\n", MYTHREAD, bad);
    else if (MYTHREAD == 0)
        printf("ok\n");
    return bad != 0;
}
