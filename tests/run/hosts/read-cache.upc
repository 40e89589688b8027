// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2:2x1 2:2x2 3:3x1 3:5x1 2:2x3
//@ limit: 60
//@ warn: W0516
//@ not-checked: reads race with writes, and may find either value
// What was read of other hosts' memory is not what is read there after a synchronisation, nor after
// the thread's own writes; and who waits for a relaxed flag sees it.
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_relaxed.h>
#include "expect.h"

enum { N = 300, ROUNDS = 20 };
static shared [N] long data[N * THREADS];
static shared [2] struct record { char c[5]; long value; char d[27]; } records[16 * THREADS];
static strict shared int flags[THREADS];
static shared int relaxed_flags[THREADS];
static shared [] long guarded[5];
static shared long total[THREADS];

static void fill(long value)
{
    for (int i = 0; i < N; i++)
        data[MYTHREAD * N + i] = value;
}

/* Everything of everybody, forwards, backwards and by a stride. */
static void look(const char *what, long value)
{
    for (long i = 0; i < N * THREADS; i++)
        expect(what, data[i], value);
    for (long i = N * THREADS - 1; i >= 0; i -= 7)
        expect(what, data[i], value);
    for (int i = 0; i < N; i += 3)
        for (int t = 0; t < THREADS; t++)
            expect(what, data[t * N + i] + 1, value + 1);
}

static void after_barriers(void)
{
    for (int r = 0; r < ROUNDS; r++) {
        fill(r);
        upc_barrier;
        look("after a barrier", r);
        upc_notify;
        upc_wait;
        fill(-r);
        upc_notify;
        long early = data[(MYTHREAD + 1) % THREADS * N]; /* old or new */
        upc_wait;
        look("after a wait", -r);
        expect("early", early == r || early == -r, 1);
        upc_barrier;
    }
}

static void under_a_lock(upc_lock_t *lock)
{
    for (int r = 0; r < 5 * ROUNDS; r++) {
        upc_lock(lock);
        long old = guarded[0];
        for (int i = 0; i < 5; i++) {
            expect("guarded", guarded[i], old);
            guarded[i] = old + 1;
        }
        expect("own write", guarded[4], old + 1);
        upc_unlock(lock);
    }
    upc_barrier;
    expect("all", guarded[3], 5L * ROUNDS * THREADS);
    upc_barrier;
}

/* A strict flag on the reader's own host needs no fence where nothing has been written. */
static void by_a_strict_flag(void)
{
    int reader = THREADS - 1;
    fill(0);
    flags[MYTHREAD] = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int r = 1; r <= 20 * ROUNDS; r++) {
            data[5] = r;
            flags[reader] = r;
        }
    }
    if (MYTHREAD == reader) {
        int flag, late = 0;
        do {
            flag = flags[reader];
            late += data[5] < flag;
        } while (flag < 20 * ROUNDS);
        expect("reads older than the flag", late, 0);
    }
    upc_barrier;
}

static void by_a_relaxed_flag(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    for (int r = 1; r <= ROUNDS; r++) {
        int sum = 0;
        relaxed_flags[MYTHREAD] = r;
        while (relaxed_flags[next] < r) //~ warning W0516
            ;
        do {
            sum = 0;
            for (int t = 0; t < THREADS; t++)
                sum += relaxed_flags[t] >= r;
        } while (sum < THREADS);
    }
    upc_barrier;
}

/* Relaxed atomic operations order nothing, but programs rely on it. */
static void by_an_atomic(upc_atomicdomain_t *longs)
{
    fill(0);
    total[MYTHREAD] = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (long r = 1; r <= 20 * ROUNDS; r++) {
            data[5] = r;
            upc_fence;
            upc_atomic_relaxed(longs, 0, UPC_SET, &total[0], &r, 0);
        }
    }
    if (MYTHREAD == THREADS - 1) {
        long flag, late = 0;
        do {
            upc_atomic_relaxed(longs, &flag, UPC_GET, &total[0], 0, 0);
            late += data[5] < flag;
        } while (flag < 20 * ROUNDS);
        expect("reads older than the atomic flag", late, 0);
    }
    upc_barrier;
}

static void own_writes(upc_atomicdomain_t *longs)
{
    int there = (MYTHREAD + 1) % THREADS;
    long private[N], one = 1;
    shared [N] long *p = &data[there * N];
    fill(0);
    upc_barrier;
    for (int r = 1; r <= ROUNDS; r++) {
        for (int i = 0; i < N; i++)
            p[i] = r;
        for (int i = 0; i < N; i++)
            expect("stored", p[i], r), private[i] = 2 * r;
        upc_memput(p + 50, private, 10 * sizeof(long));
        expect("memput", p[50] + p[59] + p[49], 5L * r);
        upc_memset(p + 60, 0, 8 * sizeof(long));
        expect("memset", p[60] + p[67] + p[68], r);
        upc_memcpy(p + 70, p + 50, 8 * sizeof(long));
        expect("memcpy", p[70] + p[77] + p[78], 5L * r);
        upc_atomic_relaxed(longs, 0, UPC_ADD, p + 80, &one, 0);
        expect("atomic", p[80] + p[81], 2L * r + 1);
        p[90] += 5;
        expect("changed", p[90], r + 5L);
        struct record whole = {"abc", r, "d"};
        for (int i = 0; i < 16; i++)
            records[i * THREADS / 2 * 2 % (16 * THREADS)] = whole;
        upc_fence;
    }
    upc_barrier;
    for (int i = 0; i < 16; i++)
        expect("record", records[i * THREADS / 2 * 2 % (16 * THREADS)].value, ROUNDS);
    upc_barrier;
}

static void by_collectives(void)
{
    for (int r = 1; r <= ROUNDS; r++) {
        fill(r);
        total[MYTHREAD] = 0;
        upc_barrier;
        look("before a broadcast", r);
        upc_all_broadcast((shared void *)&data[0], (shared const void *)&data[N * (THREADS - 1) + N / 2],
                          N / 2 * sizeof(long), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        data[MYTHREAD * N] = r + 1000;
        upc_all_reduceL(&total[r % THREADS], (shared const void *)data, UPC_MAX, N * THREADS, N, 0,
                        UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        expect("reduced", total[r % THREADS], r + 1000L);
        expect("others", data[(MYTHREAD + 1) % THREADS * N], r + 1000L);
        upc_barrier;
    }
}

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_atomicdomain_t *longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
    after_barriers();
    under_a_lock(lock);
    by_a_strict_flag();
    by_a_relaxed_flag();
    by_an_atomic(longs);
    own_writes(longs);
    by_collectives();
    upc_barrier;
    return done();
}
