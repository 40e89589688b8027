// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1 3:5x1 2:2x2
//@ flags: -O3
// Loops whose bounds and arrays are found by way of shared memory, and sums there that all iterations
// access: those that they change themselves among them.
#include <upc_relaxed.h>
#include "expect.h"

enum { N = 300, EACH = 3 };

struct graph {
    int n, first;
    double sum;
    shared [] double *values, *copies;
    shared [] int *index;
    shared struct graph *next;
    struct {
        long n, sums[4];
    } inner;
};

static shared struct graph graphs[EACH * THREADS];
static shared struct graph *shared head;
static shared double total;
static shared int limits[THREADS];
static shared long counts[THREADS];

static void begin(void)
{
    for (int k = 0; k < EACH * THREADS; k++) {
        shared struct graph *g = &graphs[k];
        g->n = N - k;
        g->first = k;
        g->values = (shared [] double *)upc_alloc(N * sizeof(double));
        g->copies = (shared [] double *)upc_alloc(N * sizeof(double));
        g->index = (shared [] int *)upc_alloc(N * sizeof(int));
        g->next = &graphs[(k + 1) % (EACH * THREADS)];
        g->inner.n = 3;
        for (int i = 0; i < N; i++) {
            g->values[i] = i;
            g->index[i] = 250;
        }
    }
    head = &graphs[1];
}

static double sum(shared struct graph *g)
{
    double s = 0;
    for (int i = 0; i < g->n; i++)
        s += g->values[i];
    return s;
}

static double downwards(shared struct graph *g)
{
    double s = 0;
    for (int i = g->n - 1; i >= g->first; i--)
        s = s * .5 + g->values[i];
    return s;
}

static void sum_of_next(shared struct graph *g)
{
    for (int i = 0; i < g->next->next->n; i++)
        g->next->sum += g->next->values[i] * g->inner.n;
}

/* Writes its own bound. */
static int shrink(shared struct graph *g)
{
    int i;
    for (i = 0; i < g->index[10]; i++)
        g->index[i] = 20;
    return i;
}

/* Writes where its own array is. */
static int turn(shared [] struct graph *g)
{
    int n = 0;
    shared [] int *own = (shared [] int *)&g->n;
    for (int i = 0; i < g->n; i++) {
        own[i] = 2;
        n++;
    }
    return n;
}

static void add_up(shared [] double *to, shared [] double *p, int n)
{
    for (int i = 0; i < n; i++)
        *to += p[i];
}

static void some(shared struct graph *g)
{
    for (int i = 0; i < g->n; i++) {
        if (g->values[i] < 100)
            continue;
        g->inner.sums[2] += g->values[i];
    }
}

static void each(shared struct graph *g)
{
    for (int i = 0; i < g->n; i++) {
        g->inner.sums[1]++;
        g->inner.sums[3] |= (long)g->values[i];
    }
}

/* Reads nothing by the pointer, which may be null. */
static double none(shared struct graph *g, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++)
        s += g->values[i];
    return s;
}

static double table(shared [] double **rows, int n)
{
    double s = 0;
    for (int j = 1; j < n; j++) {
        for (int i = 1; i < 50; i++)
            s += rows[j - 1][i] - rows[j][i - 1];
    }
    return s;
}

static void check(shared struct graph *g, int k)
{
    int n = g->n, next = g->next->next->n;
    double half = 0, before = g->next->sum, seventh = 7;
    long some_of_them = 0, bits = 0;
    for (int i = n - 1; i >= k; i--)
        half = half * .5 + i;
    for (int i = 0; i < n; i++) {
        some_of_them += i < 100 ? 0 : i;
        bits |= i;
    }
    for (int i = 0; i < 50; i++)
        seventh += i == 7 ? seventh : i;

    expect("sum", sum(g), n * (n - 1) / 2);
    expect("downwards", downwards(g) * 1e6, half * 1e6);
    for (int i = 0; i < g->n; i++)
        g->copies[i] = 2 * g->values[i + g->first - g->first];
    for (int i = 0; i < n; i++)
        expect("copy", g->copies[i], 2 * i);
    sum_of_next(g);
    expect("sum of the next one", g->next->sum - before, 3 * next * (next - 1) / 2);
    expect("a bound that changes", shrink(g), 20);
    some(g);
    expect("sum of some", g->inner.sums[2], some_of_them);
    each(g);
    expect("number", g->inner.sums[1], n);
    expect("bits", g->inner.sums[3], bits);
    add_up(g->values + 7, g->values, 50);
    expect("a sum among its terms", g->values[7], seventh);
    g->values[7] = 7;
    add_up(g->copies + 7, g->values + 50, 50);
    expect("a sum elsewhere", g->copies[7], 14 + 50 * 149 / 2);
}

int main(void)
{
    if (MYTHREAD == THREADS / 2)
        begin();
    upc_barrier;
    if (MYTHREAD == 0) {
        shared [] double *rows[EACH * THREADS];
        for (int k = 0; k < EACH * THREADS; k++) {
            check(&graphs[k], k);
            rows[k] = graphs[k].copies;
        }
        expect("no iteration", none(0, 0), 1);
        double expected = 0;
        for (int j = 1; j < EACH * THREADS; j++) {
            for (int i = 1; i < 50; i++)
                expected += rows[j - 1][i] - rows[j][i - 1];
        }
        expect("table", table(rows, EACH * THREADS), expected);
        for (int i = 0; i < N; i++)
            head->values[i] = i;
        for (int i = 0; i < head->n; i++)
            total += head->values[i];
        expect("total", total, (N - 1) * (N - 2) / 2);
        limits[THREADS - 1] = 100;
        counts[THREADS - 1] = 5;
        for (int i = 0; i <= limits[THREADS - 1]; i++)
            counts[THREADS - 1] += i;
        expect("count", counts[THREADS - 1], 5055);
        expect("turn", turn((shared [] struct graph *)&graphs[0]), 2);
    }
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
