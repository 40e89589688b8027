// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1
//@ flags: -nopthreads
// Threads of C11, which no option of the C compiler tells of.
#include <stdio.h>
#include <threads.h>
#include <upc.h>

static int seen[3];
shared int got[3 * THREADS];

static int work(void *argument)
{
    int *place = argument;
    *place = MYTHREAD + 1;
    got[(place - seen) * THREADS + MYTHREAD] = *place;
    return MYTHREAD;
}

int main(void)
{
    thrd_t threads[3];
    int bad = 0, result;
    for (int i = 0; i < 3; i++)
        if (thrd_create(&threads[i], work, &seen[i]) != thrd_success)
            return 2;
    for (int i = 0; i < 3; i++) {
        thrd_join(threads[i], &result);
        bad += result != MYTHREAD || seen[i] != MYTHREAD + 1;
    }
    upc_barrier;
    for (int i = 0; i < 3 * THREADS; i++)
        bad += got[i] != i % THREADS + 1;
    if (MYTHREAD == 0 && !bad)
        printf("ok\n");
    return bad != 0;
}
