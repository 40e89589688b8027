// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops without a first clause, whose index has begun before.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 240 };

static shared [BLOCK] int blocked[N * THREADS], others[N * THREADS];
static shared int cyclic[N * THREADS];
static shared [] int *shared of_last;
static shared int shared_lo;
static int n;

/* Not known to the compiler. */
static __attribute__((noinline)) int owner_of(int element, int block)
{
    return element / block % THREADS;
}

static void expect_marks(const char *what, int lo, int hi, int by)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int mark = i >= lo && i < hi && (i - lo) % by == 0 ? i + 1 : 0;
        expect(what, blocked[i], mark);
        expect(what, cyclic[i], mark);
    }
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS)
        blocked[i] = cyclic[i] = 0;
    upc_barrier;
}

static __attribute__((noinline)) void distributed(int lo, int hi)
{
    int i = lo;
    upc_forall (; i < hi; i++; &blocked[i])
        blocked[i] = i + 1 + 1000 * (owner_of(i, BLOCK) - MYTHREAD);
    expect("index", i, hi);
    i = hi - 1;
    upc_forall (; i >= lo; i--; i)
        cyclic[i] = i + 1 + 1000 * (owner_of(i, 1) - MYTHREAD);
    expect("index downwards", i, lo - 1);
    expect_marks("distributed", lo, hi, 1);
    long l = shared_lo + lo;
    upc_forall (; l < hi; l += 2; &blocked[l])
        blocked[l] = l + 1 + 1000 * (owner_of(l, BLOCK) - MYTHREAD);
    l = lo;
    shared int *p = cyclic + lo;
    upc_forall (; hi > l; l += 2, p += 2; p)
        *p = l + 1 + 1000 * (owner_of(l, 1) - MYTHREAD);
    expect("pointer", p - cyclic, l);
    expect_marks("by twos", lo, hi, 2);
}

static __attribute__((noinline)) void plain(int lo, int hi)
{
    int i = lo + MYTHREAD;
    for (; i < hi; i += THREADS)
        cyclic[i] = i + 1;
    i = lo;
    for (; i < hi; i++)
        if (upc_threadof(&blocked[i]) == MYTHREAD)
            blocked[i] = i + 1;
    expect_marks("own", lo, hi, 1);
    long sum = 0;
    shared [BLOCK] const int *p = others + lo;
    for (i = lo; i < lo + 5; i++)
        sum += others[i];
    for (; i < hi; i++)
        sum += others[i];
    expect("the rest of it", sum == (long)(hi - lo) * (lo + hi - 1) / 2, 1);
    i = lo;
    for (; i != hi; ++i, p++)
        sum -= *p;
    expect("a pointer along", sum, 0);
    expect("its end", p - others, hi);
    shared [] int *q = of_last;
    i = lo;
    for (; i < N; i++)
        sum += q[i];
    expect("another thread's", sum == (long)(N - lo) * (lo + N - 1) / 2, 1);
    expect("index", i, N);
    i = N - 1;
    for (; i >= lo; --i)
        sum -= q[i] + 1;
    expect("another thread's downwards", sum, lo - N);
    expect("index downwards", i, lo - 1);
    for (i = 7; i < lo; i++)
        sum++;
    for (; i < 5; i++)
        sum += q[i];
    expect("none", sum, lo - N + (lo > 7 ? lo - 7 : 0));
}

int main(void)
{
    n = N * THREADS;
    for (int i = MYTHREAD; i < n; i += THREADS)
        others[i] = i;
    if (MYTHREAD == THREADS - 1) {
        of_last = upc_alloc(N * sizeof(int));
        for (int i = 0; i < N; i++)
            of_last[i] = i;
    }
    upc_barrier;
    static const int los[] = {0, 1, BLOCK, BLOCK + 7};
    for (int s = 0; s < 4; s++) {
        distributed(los[s], n - 3 * s);
        plain(los[s], n - 3 * s);
        distributed(los[s], los[s] + 1);
    }
    return MYTHREAD == 0 ? done() : wrong;
}
