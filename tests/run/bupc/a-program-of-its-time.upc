// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 2x2 1x8
// A program as they were written for Berkeley UPC: it asks for the compiler, and then uses its
// extensions for all it does. Threads pass blocks around a ring, and each keeps the sum.
#include <bupc_extensions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

#if defined(__BERKELEY_UPC__) && __BERKELEY_UPC__ * 100 + __BERKELEY_UPC_MINOR__ >= 216
#define HAVE_SEMAPHORES 1
#define HAVE_ASYNC 1
#else
#error "written for Berkeley UPC 2.16 or later"
#endif
#if !__BERKELEY_UPC_RUNTIME__ || __BERKELEY_UPC_PATCHLEVEL__ < 0 || defined(__BERKELEY_UPC_PTHREADS__)
#error "another runtime"
#endif
#if !defined(__FURLONG__) || __UPC_VERSION__ < 201311L
#error "not this compiler"
#endif

#define TIME() bupc_ticks_to_us(bupc_ticks_now())
#define BLOCK 64
#define ROUNDS 5

typedef struct {
    double values[BLOCK];
    int from;
} block_t;

shared block_t inbox[2][THREADS];
bupc_sem_t *shared full[THREADS];
bupc_sem_t *shared empty[THREADS];
shared double sums[THREADS];
shared int near_ones[THREADS];

static void complain(const char *what, shared void *where)
{
    char text[BUPC_DUMP_MIN_LENGTH];
    if (bupc_dump_shared(where, text, sizeof text))
        strcpy(text, "?");
    printf("thread %d: %s at %s\n", MYTHREAD, what, text);
    upc_global_exit(1);
}

static void pass_blocks(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    block_t mine;
    mine.from = MYTHREAD;
    for (int i = 0; i < BLOCK; i++)
        mine.values[i] = MYTHREAD + i;
    for (int round = 0; round < ROUNDS; round++) {
        bupc_sem_wait(empty[next]);
        bupc_memput_signal(&inbox[round % 2][next], &mine, sizeof mine, full[next], 1);
        while (!bupc_sem_try(full[MYTHREAD]))
            bupc_poll();
        block_t *got = bupc_cast(&inbox[round % 2][MYTHREAD]);
        if (!got || bupc_inverse_cast(got) != (shared void *)&inbox[round % 2][MYTHREAD])
            complain("a block that cannot be cast", &inbox[round % 2][MYTHREAD]);
        for (int i = 0; i < BLOCK; i++)
            sums[MYTHREAD] += got->values[i];
        mine = *got;
        bupc_sem_post(empty[MYTHREAD]);
    }
}

static double gather(void)
{
    double *all = malloc(THREADS * sizeof *all);
    bupc_handle_t *handles = malloc(THREADS * sizeof *handles);
    for (int t = 0; t < THREADS; t++) {
        shared void *element = bupc_ptradd(sums, 1, sizeof(double), t);
        handles[t] = bupc_memget_async(&all[t], element, sizeof(double));
    }
    bupc_waitsync_all(handles, THREADS);
    double total = 0;
    for (int t = 0; t < THREADS; t++)
        total += all[t];
    free(handles);
    free(all);
    return total;
}

int main(void)
{
    uint64_t start = TIME();
    full[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    empty[MYTHREAD] = bupc_sem_alloc(0);
    bupc_sem_postN(empty[MYTHREAD], 2);
    for (int t = 0; t < THREADS; t++)
        near_ones[MYTHREAD] +=
            (bupc_thread_distance(MYTHREAD, t) <= BUPC_THREADS_NEAR) ==
            (bupc_castable(&sums[t]) != 0);
    upc_barrier;

    pass_blocks();
    upc_barrier;
    double expected = ROUNDS * BLOCK * (BLOCK - 1) / 2.0 * THREADS +
                      ROUNDS * BLOCK * (THREADS * (THREADS - 1) / 2.0);
    if (gather() != expected)
        complain("a wrong sum", &sums[MYTHREAD]);
    if (near_ones[MYTHREAD] != THREADS)
        complain("a near thread that cannot be reached", &near_ones[MYTHREAD]);

    upc_lock_t *lock = upc_all_lock_alloc();
    shared int *scratch = upc_all_alloc(THREADS, sizeof(int));
    scratch[MYTHREAD] = 0;
    upc_barrier;
    upc_lock(lock);
    scratch[0]++;
    upc_unlock(lock);
    bupc_all_free(scratch);
    bupc_all_lock_free(lock);
    bupc_sem_free(full[MYTHREAD]);
    bupc_sem_free(empty[MYTHREAD]);
    upc_barrier;
    if (MYTHREAD == 0 && TIME() - start < 60e6 && bupc_tick_granularityus() < 1000)
        puts(bupc_getenv("PATH") ? "ok" : "no environment");
    return 0;
}
