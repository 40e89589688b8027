// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 4x1 7x1 2:2x1 2:4x1
//@ flags: -fopenmp
// The threads of a team see the MYTHREAD and the private objects of the UPC thread that made them.
#include <omp.h>
#include <stdio.h>
#include <upc.h>

enum { N = 1000, TEAM = 5 };
static long count;
int each[TEAM];
shared int a[N * THREADS];
shared int *start = &a[1];
static int bad;

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            _Pragma("omp atomic") bad++;                                       \
            printf("thread %d, line %d: " #condition "\n", MYTHREAD, __LINE__);\
        }                                                                      \
    } while (0)

static int next(void)
{
    static int *where = each;
    static shared int *far = &a[2];
    int value;
    CHECK(where == each && far == &a[2]);
    #pragma omp atomic capture
    value = count++;
    return value;
}

int main(void)
{
    long sum = 0;
    CHECK(start == &a[1]);
    #pragma omp parallel for reduction(+ : sum) num_threads(TEAM)
    for (int i = 1; i <= N; i++)
        sum += i;
    CHECK(sum == 500500);

    int me = MYTHREAD, wrong = 0;
    #pragma omp parallel num_threads(TEAM) reduction(+ : wrong)
    {
        wrong += MYTHREAD != me || start != &a[1];
        each[omp_get_thread_num()] = MYTHREAD + 1;
        #pragma omp for schedule(dynamic, 7)
        for (int i = 0; i < N; i++)
            next();
    }
    CHECK(wrong == 0 && count == N);
    for (int t = 0; t < TEAM; t++)
        CHECK(each[t] == MYTHREAD + 1);

    /* To the next UPC thread, which may be on another host: there by the barrier. */
    int to = (MYTHREAD + 1) % THREADS;
    #pragma omp parallel for num_threads(TEAM)
    for (int i = 0; i < N; i++)
        a[i * THREADS + to] = MYTHREAD * N + i;
    upc_barrier;
    int from = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < N; i++)
        CHECK(a[i * THREADS + MYTHREAD] == from * N + i);
    upc_barrier;
    if (MYTHREAD == 0 && !bad)
        printf("ok\n");
    return bad != 0;
}
