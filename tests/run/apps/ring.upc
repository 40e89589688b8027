// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x4 2x2
/* A token goes round a ring of strict flags; then a pipeline of stages, each of which works on
 * blocks handed over by a strict counter in another thread's memory. */
#include <stdio.h>
#include <sched.h>
#include <upc_strict.h>

#define LAPS 30
#define BLOCKS 12
#define SIZE 25

shared int token; /* strict, because of the header */
relaxed shared [SIZE] int block[SIZE * BLOCKS * THREADS];
shared int ready[THREADS];

/* one block in the memory of thread t; `b` counts the blocks of that thread */
static shared [SIZE] int *block_of(int t, int b) { return block + (b * THREADS + t) * SIZE; }

static void stage(int b)
{
    relaxed shared [SIZE] int *from = block_of(MYTHREAD == 0 ? 0 : MYTHREAD - 1, b);
    relaxed shared [SIZE] int *to = block_of(MYTHREAD, b);
    for (int i = 0; i < SIZE; i++)
        to[i] = (MYTHREAD == 0 ? b * SIZE + i : from[i]) * 3 + 1;
}

static int expected(int b, int i)
{
    int v = b * SIZE + i;
    for (int t = 0; t < THREADS; t++)
        v = v * 3 + 1;
    return v;
}

int main(void)
{
    int lap, b;
    for (lap = 0; lap < LAPS; lap++) {
        int turn = lap * THREADS + MYTHREAD;
        while (token != turn)
            sched_yield();
        token = turn + 1;
    }
    upc_barrier;
    if (token != LAPS * THREADS) {
        printf("the token is at %d\n", token);
        upc_global_exit(1);
    }

    for (b = 0; b < BLOCKS; b++) {
        if (MYTHREAD > 0)
            while (ready[MYTHREAD - 1] <= b)
                sched_yield();
        stage(b);
        ready[MYTHREAD] = b + 1;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        for (b = 0; b < BLOCKS; b++)
            for (int i = 0; i < SIZE; i++)
                if (block_of(THREADS - 1, b)[i] != expected(b, i)) {
                    printf("block %d, %d: %d, expected %d\n", b, i, block_of(THREADS - 1, b)[i],
                           expected(b, i));
                    upc_global_exit(1);
                }
        printf("ok\n");
    }
    return 0;
}
