// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 7x1 2:4x1
//@ flags: -fopenmp
// A threadprivate variable is each OpenMP thread's, initialised, copied in and kept between regions; a
// barrier of UPC in `master` stands between what the teams write and what other teams read.
#include <omp.h>
#include <stdio.h>
#include <upc.h>

enum { TEAM = 3 };
int own = 5;
static long sum;
#pragma omp threadprivate(own, sum)
shared [TEAM] int a[TEAM * THREADS];

int main(void)
{
    int bad = 0;
    omp_set_dynamic(0);
    own += MYTHREAD;
    #pragma omp parallel num_threads(TEAM) copyin(own) reduction(+ : bad)
    {
        int me = omp_get_thread_num();
        bad += own != 5 + MYTHREAD;
        own = 100 * MYTHREAD + me;
        for (int round = 0; round < 3; round++) {
            a[(TEAM * MYTHREAD + TEAM + me) % (TEAM * THREADS)] = own + round;
            #pragma omp barrier
            #pragma omp master
            upc_barrier;
            #pragma omp barrier
            int from = (MYTHREAD + THREADS - 1) % THREADS;
            bad += a[TEAM * MYTHREAD + me] != 100 * from + me + round;
            sum += own;
            #pragma omp barrier
            #pragma omp master
            upc_barrier;
            #pragma omp barrier
        }
    }
    #pragma omp parallel num_threads(TEAM) reduction(+ : bad)
    bad += own != 100 * MYTHREAD + omp_get_thread_num() || sum != 3 * own;
    upc_barrier;
    if (bad)
        printf("thread %d: %d wrong\n", MYTHREAD, bad);
    else if (MYTHREAD == 0)
        puts("ok");
    return bad != 0;
}
