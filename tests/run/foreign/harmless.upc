// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:2x2
// Threads that need no UPC thread are let be, in any mapping: a library's, and those that only write
// to shared memory.
#include <pthread.h>
#include <stdio.h>
#include <upc.h>

shared int a[100 * THREADS];
static int bad;

static int add(int x, int y) { return x + y; }

static void *write(void *argument)
{
    int *me = argument;
    for (int i = 0; i < 100; i++)
        a[i * THREADS + (*me + 1) % THREADS] = add(*me, i);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int me = MYTHREAD;
    pthread_create(&thread, NULL, write, &me);
    pthread_join(thread, NULL);
    upc_barrier;
    for (int i = 0; i < 100; i++)
        bad += a[i * THREADS + MYTHREAD] != (MYTHREAD + THREADS - 1) % THREADS + i;
    if (MYTHREAD == 0 && !bad)
        printf("ok\n");
    return bad;
}
