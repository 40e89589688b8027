// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 4x1 2:2x1 2:4x1
//@ flags: -pthread -g
//@ limit: 60
// What threads that a UPC thread has made may do in its name: transfers with and without handles,
// atomic operations, locks, allocation, fences.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_nb.h>

enum { TEAM = 5, N = 200 };
shared [] int *shared part[THREADS]; /* TEAM * N of each UPC thread's */
shared int cyclic[TEAM * N * THREADS];
shared long counter, locked;
upc_lock_t *one, *own;
upc_atomicdomain_t *domain;
upc_handle_t handles[TEAM];
int numbers[TEAM][N], back[TEAM][N];
static int bad;

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            __atomic_add_fetch(&bad, 1, __ATOMIC_RELAXED);                     \
            printf("thread %d, line %d: " #condition "\n", MYTHREAD, __LINE__);\
        }                                                                      \
    } while (0)

static void run_team(void *(*body)(void *))
{
    pthread_t threads[TEAM];
    for (long i = 0; i < TEAM; i++)
        if (pthread_create(&threads[i], NULL, body, (void *)i))
            exit(2);
    for (int i = 0; i < TEAM; i++)
        pthread_join(threads[i], NULL);
}

/* Beside the locks of the threads of this process, those of the others. */
static void *lock(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
        upc_lock(one);
        locked = locked + 1;
        upc_unlock(one);
        upc_lock(own);
        while (!upc_lock_attempt(one))
            sched_yield();
        locked = locked + 1;
        upc_unlock(one);
        upc_unlock(own);
        long plus = 1;
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &counter, &plus, NULL);
    }
    return NULL;
}

static void *put(void *argument)
{
    long i = (long)argument;
    int to = (MYTHREAD + 1) % THREADS;
    shared [] int *p = part[to] + i * N;
    for (int k = 0; k < N; k++)
        numbers[i][k] = MYTHREAD * 1000000 + i * 1000 + k;
    switch (i % 3) {
    case 0:
        handles[i] = upc_memput_nb(p, numbers[i], sizeof numbers[i]);
        break;
    case 1:
        upc_memput_nbi(p, numbers[i], sizeof numbers[i]);
        break;
    default:
        upc_memput(p, numbers[i], sizeof numbers[i]);
    }
    return NULL;
}

static void *get(void *argument)
{
    long i = (long)argument;
    upc_handle_t handle = upc_memget_nb(back[i], part[(MYTHREAD + 1) % THREADS] + i * N,
                                        sizeof back[i]);
    upc_memget_nbi(numbers[i], part[(MYTHREAD + 1) % THREADS] + i * N, sizeof numbers[i]);
    upc_sync(handle);
    upc_synci();
    CHECK(!memcmp(back[i], numbers[i], sizeof back[i]));
    for (int k = 0; k < N; k++)
        CHECK(back[i][k] == MYTHREAD * 1000000 + i * 1000 + k);
    return NULL;
}

/* The UPC thread waits for it. */
static void *begin_get(void *argument)
{
    long i = (long)argument;
    upc_memget_nbi(numbers[i], part[(MYTHREAD + 1) % THREADS] + i * N, sizeof numbers[i]);
    return NULL;
}

/* Relaxed writes, and then the thread is gone. */
static void *write_relaxed(void *argument)
{
    long i = (long)argument;
    for (int k = 0; k < N; k++)
        cyclic[(i * N + k) * THREADS + (MYTHREAD + 1) % THREADS] = MYTHREAD * 1000 + k;
    return NULL;
}

static void *write_and_fence(void *argument)
{
    long i = (long)argument;
    for (int k = 0; k < N; k++) {
        cyclic[(i * N + k) * THREADS + (MYTHREAD + 1) % THREADS] = k;
        upc_fence;
    }
    return NULL;
}

static void *allocate(void *unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        shared [] int *mine = upc_alloc(N * sizeof(int));
        shared int *all = upc_global_alloc(THREADS, sizeof(int));
        CHECK((int)upc_threadof(mine) == MYTHREAD && (int)upc_threadof(all) == 0);
        mine[N - 1] = all[THREADS - 1] = i;
        CHECK(mine[N - 1] == i && all[THREADS - 1] == i);
        upc_free(mine);
        upc_free(all);
    }
    return NULL;
}

int main(void)
{
    one = upc_all_lock_alloc();
    own = upc_global_lock_alloc();
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    part[MYTHREAD] = upc_alloc(TEAM * N * sizeof(int));
    upc_barrier;

    run_team(lock);
    upc_barrier;
    CHECK(locked == 2L * TEAM * N * THREADS && counter == (long)TEAM * N * THREADS);

    run_team(put);
    for (int i = 0; i < TEAM; i += 3)
        upc_sync(handles[i]);
    upc_synci();
    upc_barrier;
    run_team(get);
    for (int i = 0; i < TEAM * N; i++)
        CHECK(part[MYTHREAD][i] ==
              (MYTHREAD + THREADS - 1) % THREADS * 1000000 + i / N * 1000 + i % N);

    memset(numbers, 0, sizeof numbers);
    run_team(begin_get);
    upc_synci();
    CHECK(!memcmp(numbers, back, sizeof numbers));

    run_team(write_relaxed);
    upc_barrier;
    int from = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < TEAM * N; i++)
        CHECK(cyclic[i * THREADS + MYTHREAD] == from * 1000 + i % N);
    upc_barrier;
    run_team(write_and_fence);
    upc_barrier;
    for (int i = 0; i < TEAM * N; i++)
        CHECK(cyclic[i * THREADS + MYTHREAD] == i % N);

    run_team(allocate);
    upc_barrier;
    if (MYTHREAD == 0 && !bad)
        printf("ok\n");
    return bad != 0;
}
