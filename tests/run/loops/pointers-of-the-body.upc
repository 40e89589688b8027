// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops whose bodies declare a pointer for an element: what it leads to is the element also where a name
// or the index has changed in the meantime.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, ROW = 8, N = 240 };

struct body {
    int x, v, at[4];
    unsigned low : 4, high : 7;
    struct { short here, there; } pair;
};

static shared [BLOCK] struct body bodies[N * THREADS];
static shared struct body spread[N * THREADS];
static shared [16 * ROW] int rows[N * THREADS][ROW];
static shared [BLOCK] int a[N * THREADS];
static shared int c[N * THREADS];
static shared [] int *alone;
static int all, two = 2;

static __attribute__((noinline)) void fill(void)
{
    upc_barrier;
    for (int i = MYTHREAD; i < all; i += THREADS) {
        a[i] = i;
        c[i] = 3 * i;
        bodies[i].x = i;
        bodies[i].v = 2 * i;
        bodies[i].low = i % 16;
        bodies[i].high = i % 100;
        bodies[i].pair.there = i % 1000;
        spread[i].x = 5 * i;
        spread[i].v = 1;
        for (int j = 0; j < ROW; j++)
            rows[i][j] = ROW * i + j;
        for (int j = 0; j < 4; j++)
            bodies[i].at[j] = 4 * i + j;
    }
    upc_barrier;
}

/* Each thread's part of what all of them have. */
static __attribute__((noinline)) void members(void)
{
    int i;
    upc_forall (i = 0; i < all; i++; &bodies[i]) {
        shared [BLOCK] struct body *p = &bodies[i];
        p->x += p->v;
        (*p).v = 7;
        p->low++;
        p->high += p->low;
        p->pair.here = p->pair.there + 1;
        p->at[1] = p->at[2] + p->at[i % 4];
    }
    for (i = MYTHREAD; i < all; i += THREADS) {
        shared struct body *const q = spread + i;
        q->x += q->v;
        q[0].v++;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        for (volatile int k = 0; k < all; k++) {
            expect("x", bodies[k].x, 3 * k);
            expect("v", bodies[k].v, 7);
            expect("low", bodies[k].low, (k + 1) % 16);
            expect("high", bodies[k].high, k % 100 + (k + 1) % 16);
            expect("here", bodies[k].pair.here, k % 1000 + 1);
            expect("at", bodies[k].at[1], 8 * k + 2 + k % 4);
            expect("spread x", spread[k].x, 5 * k + 1);
            expect("spread v", spread[k].v, 2);
        }
    fill();
}

static __attribute__((noinline)) void reads(int n, int k, shared [BLOCK] int *base)
{
    long sum = 0;
    int i;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[i], *q = a + i + 2, *r = base + i;
        sum += *p + 10 * *q + 100 * r[0] + 1000 * p[1];
    }
    expect("elements", sum, 1111L * n * (n - 1) / 2 + n * (20 + 100L * k + 1000));
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [16 * ROW] int *p = rows[i], *q = &rows[i][3];
        sum += p[1] - *q;
        for (int j = 0; j < ROW; j++)
            sum += p[j] - rows[i][j];
    }
    expect("rows", sum, -2L * n);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared int *p = &c[i];
        sum += *p;
    }
    expect("cyclic", sum, 3L * n * (n - 1) / 2);
}

/* Where the pointer is not what its declaration would be now. */
static __attribute__((noinline)) void changed(int n, int k)
{
    long sum = 0;
    int i, l = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[i + l];
        l++;
        sum += *p;
    }
    expect("a name that changes", sum, (long)n * (n - 1));
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[i];
        p++;
        sum += *p;
    }
    expect("a pointer that moves", sum, (long)n * (n + 1) / 2);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[i], **at = &p;
        *at = a;
        sum += *p;
    }
    expect("a pointer with an address", sum, 0);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [16 * ROW] int *p = &rows[i][k];
        {
            int k = 1, i = 5;
            sum += *p + k + i;
        }
    }
    expect("a name that is hidden", sum, ROW * (long)n * (n - 1) / 2 + n * (6 + k));
    sum = 0;
    i = 0;
    while (i < n) {
        shared [BLOCK] int *p = &a[i];
        i++;
        sum += *p;
    }
    expect("an index that has moved", sum, (long)n * (n - 1) / 2);
    sum = 0;
    i = 0;
    while (i < n) {
        shared [16 * ROW] int *p = &rows[i][i % 3];
        i++;
        sum += *p - ROW * (i - 1);
    }
    expect("in a row, too", sum, n / 3 * 3L + (n % 3 == 2));
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [16 * ROW] int *p = &rows[i][k];
        {
            enum { k = 1 };
            sum += *p + k;
        }
    }
    expect("a name that is a constant there", sum, ROW * (long)n * (n - 1) / 2 + n * (1 + k));
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[a[i]];
        sum += *p;
    }
    expect("by a lookup", sum, (long)n * (n - 1) / 2);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [16 * ROW] int *p = &rows[i][alone[0]];
        alone[0] ^= 1;
        sum += *p - ROW * i;
    }
    alone[0] = 4;
    expect("by an element that changes", sum, 4 * n + n / 2);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = i % 2 ? &a[i] : &a[0];
        sum += *p;
    }
    expect("one of two", sum, (n / 2L) * (n / 2L));
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[i];
        for (int j = 0; j < 2; j++) {
            shared [BLOCK] int *q = p + j;
            sum += *q;
        }
    }
    expect("pointers by pointers", sum, (long)n * n);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [] int *p = &alone[i];
        sum += *p;
    }
    expect("one thread's", sum, 4L * n);
    sum = 0;
    for (i = 0; i < n; i++) {
        shared [BLOCK] int *p = &a[i * two];
        sum += *p;
    }
    expect("by steps", sum, (long)n * (n - 1));
}

/* What is another thread's is not this one's by its name. */
static __attribute__((noinline)) void neighbours(void)
{
    int i;
    upc_forall (i = 0; i < all; i++; &a[i]) {
        shared [BLOCK] int *p = &a[i], *q = &a[i + 1 == all ? 0 : i + 1];
        shared int *r = &c[(i + 1) % all];
        *p += *r - c[(i + 1) % all] + (q == p);
    }
    upc_barrier;
    for (i = MYTHREAD; i < all - BLOCK; i += THREADS) {
        shared [BLOCK] int *p = &a[i + BLOCK], *q = a + i;
        expect("neighbours", *p - *q, BLOCK);
    }
    upc_barrier;
}

int main(void)
{
    all = N * THREADS;
    alone = upc_alloc(N * sizeof(int));
    for (int i = 0; i < N; i++)
        alone[i] = 4;
    fill();
    members();
    for (int n = 0; n <= N / 2; n += 1 + n / 3) {
        reads(n, 3, a + 3);
        changed(n, 4);
    }
    upc_barrier;
    neighbours();
    return MYTHREAD == 0 ? done() : wrong;
}
