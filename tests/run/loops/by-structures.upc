// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops that find their arrays and bounds by private structures and variables, which the loop leaves alone,
// changes by their names, or changes by other ways.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 240 };

struct grid {
    int n, first;
    shared [BLOCK] int *a, *b;
    shared int *c;
    int steps[3];
};

static struct grid global;
static shared [BLOCK] int *ga, *gb;
static shared struct numbers { long n, others[2]; } shared_numbers[THREADS];

static __attribute__((noinline)) int owner_of(int element, int block)
{
    return element / block % THREADS;
}

static void expect_elements(const char *what, shared [BLOCK] int *a, int n, int times, int more)
{
    upc_barrier;
    for (int i = 0; i < n; i++)
        expect(what, a[i], times * i + more);
    upc_barrier;
}

static void by_pointer(struct grid *g)
{
    int i;
    upc_forall (i = 0; i < g->n; i++; &g->a[i])
        g->a[i] = g->b[i] + owner_of(i, BLOCK) - MYTHREAD;
    expect_elements("by a pointer to a structure", g->a, g->n, 3, 0);
    upc_forall (i = g->first; i < g->n; i += g->steps[1]; g->a + i)
        g->a[i] = 2 * g->b[i] + owner_of(i, BLOCK) - MYTHREAD;
    expect_elements("by its array", g->a, g->n, 6, 0);
    for (i = 0; i < g->n; i++) {
        if (upc_threadof(g->a + i) != MYTHREAD)
            continue;
        g->a[i] += 1 + owner_of(i, BLOCK) - MYTHREAD;
    }
    expect_elements("asked", g->a, g->n, 6, 1);
    upc_forall (i = 0; i < g->n; i++; i)
        g->c[i] = i + owner_of(i, 1) - MYTHREAD;
    upc_barrier;
    for (i = 0; i < g->n; i++)
        expect("cyclic", g->c[i], i);
}

static void by_name(void)
{
    int i;
    upc_forall (i = 0; i < global.n; i++; &global.a[i])
        global.a[i] = global.b[i];
    expect_elements("a global structure", global.a, global.n, 3, 0);
    upc_forall (i = 0; i < global.n; i++; &ga[i])
        ga[i] = 2 * gb[i];
    expect_elements("global pointers", ga, global.n, 6, 0);
}

/* Others than shared arrays are written meanwhile. */
static void with_writes(int *count, double *sum, char *text)
{
    int i;
    upc_forall (i = 0; i < global.n; i++; &ga[i]) {
        sum[0] += gb[i];
        ga[i] = gb[i];
    }
    expect_elements("a number is written", ga, global.n, 3, 0);
    upc_forall (i = 0; i < global.n; i++; &ga[i]) {
        *count += 1;
        text[i % 4] = 'a';
        ga[i] = 2 * gb[i];
    }
    expect_elements("bytes are written", ga, global.n, 6, 0);
}

/* The loop itself changes what it goes by. */
static void moved(struct grid *g, int *bound, shared [BLOCK] int **array)
{
    int i, n = 0;
    shared [BLOCK] int *a = g->a, *b = g->b;
    for (i = 0; i < g->n; i++) {
        n++;
        if (i == 20)
            *bound = 30;
    }
    expect("a bound that is written", n, 30);
    *bound = N * THREADS;
    if (MYTHREAD == 0) {
        for (i = 0; i < 60; i++) {
            g->a[i] = -1;
            if (i == 29)
                *array = b;
        }
        for (i = 0; i < 60; i++) {
            expect("before it moves", a[i], i < 30 ? -1 : 6 * i);
            expect("after it has moved", b[i], i < 30 ? 3 * i : -1);
        }
        for (i = 30; i < 60; i++)
            b[i] = 3 * i;
    }
    upc_barrier;
    *array = a;
    n = 0;
    upc_forall (i = 0; i < 60; i++; &g->a[i]) {
        n += upc_threadof(&g->a[i]) == MYTHREAD;
        g->a = i % 2 ? a : b;
    }
    g->a = a;
    long here = 0;
    for (i = 0; i < 60; i++)
        here += owner_of(i, BLOCK) == MYTHREAD;
    expect("iterations of an array that changes", n, here);
    upc_barrier;
}

/* The structure is the thread's part of shared memory. */
static void cast_to_private(void)
{
    struct numbers *mine = (struct numbers *)&shared_numbers[MYTHREAD];
    long n = 0;
    mine->n = 50;
    for (long i = 0; i < mine->n; i++) {
        n++;
        if (i == 10)
            shared_numbers[MYTHREAD].n = 20;
    }
    expect("a bound that is written by its shared name", n, 20);
}

static void of_nothing(struct grid *g, int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; &g->a[i])
        g->a[i] = 0;
    expect("nothing", i, 0);
}

int main(void)
{
    double sum = 0;
    int count = 0;
    char text[4];
    global.n = N * THREADS;
    global.a = ga = upc_all_alloc(N / BLOCK * THREADS, BLOCK * sizeof(int));
    global.b = gb = upc_all_alloc(N / BLOCK * THREADS, BLOCK * sizeof(int));
    global.c = upc_all_alloc(N * THREADS, sizeof(int));
    global.steps[1] = 1;
    upc_forall (int i = 0; i < N * THREADS; i++; &gb[i])
        gb[i] = 3 * i;
    upc_barrier;
    by_pointer(&global);
    by_name();
    with_writes(&count, &sum, text);
    moved(&global, &global.n, &global.a);
    cast_to_private();
    of_nothing(0, 0);
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
