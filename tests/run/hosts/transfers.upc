// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 2:2x1 3:5x1 2:2x2 4:7x1
// Every way to move memory, to the next thread and back, most of which are on other hosts.
#include <bupc_extensions.h>
#include <string.h>
#include <upc.h>
#include <upc_castable.h>
#include <upc_nb.h>
#include "expect.h"

enum { N = 1000, PART = 20, PARTS = N / PART, LARGE = 300000 };
static shared [N] int a[N * THREADS], b[N * THREADS];
static shared [LARGE] char large[LARGE * THREADS];
static int buffer[N];
static char bytes[LARGE];

#define NEXT ((MYTHREAD + 1) % THREADS)
#define BEFORE ((MYTHREAD + THREADS - 1) % THREADS)

static int *mine(shared void *array)
{
    return (int *)((shared [N] int *)array + MYTHREAD * N);
}

static void fill(int factor)
{
    for (int i = 0; i < N; i++)
        buffer[i] = i * factor + MYTHREAD;
}

static void with_handles(void)
{
    upc_handle_t handles[PARTS];
    fill(7);
    for (int i = 0; i < PARTS; i++)
        handles[i] = upc_memput_nb(&a[NEXT * N + i * PART], buffer + i * PART, PART * sizeof(int));
    for (int i = PARTS - 1; i >= 0; i--)
        upc_sync(handles[i]);
    upc_barrier;
    expect("memput_nb", mine(a)[N - 1], (N - 1) * 7 + BEFORE);
    upc_handle_t copy = upc_memcpy_nb(&b[MYTHREAD * N], &a[NEXT * N], N * sizeof(int));
    while (!upc_sync_attempt(copy)) {
    }
    expect("memcpy_nb", mine(b)[N - 1], (N - 1) * 7 + MYTHREAD);
    upc_sync(upc_memget_nb(buffer, &a[NEXT * N], 0));
    upc_barrier;
}

static void without_handles(void)
{
    memset(buffer, 0, sizeof buffer);
    for (int i = 0; i < PARTS; i++)
        upc_memget_nbi(buffer + i * PART, &a[NEXT * N + i * PART], PART * sizeof(int));
    upc_synci();
    for (int i = 0; i < N; i++)
        expect("memget_nbi", buffer[i], i * 7 + MYTHREAD);
    memset(buffer, 0, sizeof buffer);
    bupc_begin_accessregion();
    for (int i = 0; i < PARTS; i++)
        bupc_memget_asynci(buffer + i * PART, &a[NEXT * N + i * PART], PART * sizeof(int));
    bupc_waitsync(bupc_end_accessregion());
    expect("access region", buffer[N - 1], (N - 1) * 7 + MYTHREAD);
    upc_barrier;
    upc_memset(&a[NEXT * N], 0x11, 100 * sizeof(int));
    upc_barrier;
    expect("memset", mine(a)[99], 0x11111111);
    expect("after memset", mine(a)[100], 700 + BEFORE);
}

/* A copy between two threads of which neither need be this one, nor on its host. */
static void of_others(void)
{
    int two_further = (MYTHREAD + 2) % THREADS;
    upc_barrier;
    upc_memcpy(&b[NEXT * N], &a[two_further * N + 100], 50 * sizeof(int));
    upc_barrier;
    expect("memcpy of others", mine(b)[0], 700 + MYTHREAD);
}

static void in_pieces(void)
{
    int back[100];
    size_t far_stride = 10 * sizeof(int), near_stride = 2 * sizeof(int);
    size_t count[] = {sizeof(int), 100};
    fill(1);
    upc_barrier;
    bupc_waitsync(
        bupc_memput_strided_async(&a[NEXT * N], &far_stride, buffer, &near_stride, count, 1));
    upc_barrier;
    for (int i = 0; i < 100; i++)
        expect("memput_strided", mine(a)[i * 10], 2 * i + BEFORE);
    bupc_memget_fstrided(back, sizeof back, sizeof back, 1, &a[NEXT * N], sizeof(int), far_stride,
                         100);
    for (int i = 0; i < 100; i++)
        expect("memget_fstrided", back[i], 2 * i + MYTHREAD);
    bupc_smemvec_t from[10];
    bupc_pmemvec_t to = {back, 10 * sizeof(int)};
    for (int i = 0; i < 10; i++)
        from[i] = (bupc_smemvec_t){&a[i % THREADS * N + i * 10], sizeof(int)};
    bupc_memget_vlist(1, &to, 10, from);
    for (int i = 0; i < 10; i++)
        expect("memget_vlist", back[i], 2 * i + (i % THREADS + THREADS - 1) % THREADS);
}

static void much(void)
{
    memset(bytes, MYTHREAD + 1, LARGE);
    upc_memput(&large[NEXT * LARGE], bytes, LARGE);
    upc_barrier;
    upc_memget(bytes, &large[(MYTHREAD + 2) % THREADS * LARGE], LARGE);
    expect("begin", bytes[0], NEXT + 1);
    expect("end", bytes[LARGE - 1], NEXT + 1);
}

/* What can be cast is what the thread information says, and is the memory itself. */
static void casts(void)
{
    for (int t = 0; t < THREADS; t++) {
        int *there = upc_cast(&a[t * N]);
        int castable = upc_thread_info(t).guaranteedCastable;
        expect("castable", castable, there ? UPC_CASTABLE_ALL : 0);
        expect("bupc_castable", bupc_castable(&a[t * N]), there != 0);
        expect("near", bupc_thread_distance(MYTHREAD, t) < BUPC_THREADS_VERYFAR, there != 0);
        if (there)
            expect("cast", there[10], 2 + (t + THREADS - 1) % THREADS);
    }
}

int main(void)
{
    with_handles();
    without_handles();
    of_others();
    in_pieces();
    casts();
    much();
    return done();
}
