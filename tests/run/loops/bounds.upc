// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops whose bounds are in shared memory, and whether they see what they write there themselves.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { N = 300 };

struct size {
    int rows, columns;
    long spare;
};

static shared int n, each[THREADS];
static shared struct size size;
static shared [7] int blocked[N * THREADS];
static shared int cyclic[N * THREADS];
static shared [] double *shared doubles;
static shared int *shared to_n;

static void fill(void)
{
    int i;
    upc_forall (i = 0; i < n; i++; &blocked[i])
        blocked[i] = i;
    upc_forall (i = 0; i < n; i++; i)
        cyclic[i] = 2 * i;
}

static void read_all(void)
{
    int i;
    long all = N * THREADS, sum = 0;
    for (i = 0; i < n; i++)
        sum += blocked[i] + cyclic[i];
    expect("sum", sum, 3 * all * (all - 1) / 2);
    expect("index", i, all);
    for (i = n - 1; i >= each[0]; i--)
        sum -= blocked[i];
    expect("index downwards", i, 49);
    sum = 0;
    for (i = 0; i < size.rows; i++) {
        for (int j = 0; j < size.columns; j++)
            sum += blocked[i * size.columns + j];
    }
    expect("matrix", sum, 300 * 299 / 2);
}

static void by_name(void)
{
    int trips = 0;
    n = 100;
    for (int i = 0; i < n; i++) {
        trips++;
        if (i == 10)
            n = 20;
        cyclic[i] = 1;
    }
    expect("a bound that changes by its name", trips, 20);
    trips = 0;
    for (int i = 0; i < each[0]; i++) {
        trips++;
        each[0] = 13;
        blocked[i] = 1;
    }
    expect("an element that changes", trips, 13);
}

static void by_pointers(void)
{
    int trips = 0;
    shared int *p = to_n;
    n = 100;
    for (int i = 0; i < n; i++) {
        trips++;
        cyclic[i] = 1;
        *p = 30;
    }
    expect("a bound that changes by a pointer", trips, 30);

    int *own = (int *)&n;
    n = 100, trips = 0;
    for (int i = 0; i < n; i++) {
        trips++;
        cyclic[i] = 1;
        if (i == 5)
            *own = 40;
    }
    expect("a bound that changes by a private pointer", trips, 40);

    n = 100, trips = 0;
    for (int i = 0; i < n; i++) {
        trips++;
        doubles[i] = i;
    }
    expect("writes of another type", trips, 100);

    struct size small = {3, 4, 0};
    shared struct size *s = &size;
    trips = 0;
    for (int i = 0; i < size.rows; i++) {
        trips++;
        cyclic[i] = 5;
        *s = small;
    }
    expect("a record that changes", trips, 3);
}

int main(void)
{
    each[MYTHREAD] = 50 + MYTHREAD;
    if (MYTHREAD == 0) {
        n = N * THREADS;
        size.rows = 20;
        size.columns = 15;
        to_n = (shared int *)&n;
        doubles = (shared [] double *)upc_alloc(N * sizeof(double));
    }
    upc_barrier;
    fill();
    upc_barrier;
    read_all();
    upc_barrier;
    if (MYTHREAD == 0) {
        by_name();
        by_pointers();
    }
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
