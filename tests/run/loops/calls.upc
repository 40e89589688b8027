// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1 3:3x1 2:2x2
//@ flags: -O3
// Loops over other hosts' memory that call functions of the program's: some only compute, and others change
// or read what the loop accesses.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { N = 200 };

static shared [N] int a[N * THREADS], b[N * THREADS];
static shared [] int *from, *to; /* at the last thread */
static int calls, scale = 1, bound = N, table[N];
static const int weights[4] = {1, 2, 3, 4};

static int twice(int x) { return 2 * x; }
int weighted(int x)
{
    int parts[4], sum = 0;
    for (int k = 0; k < 4; k++)
        parts[k] = twice(x) * weights[k];
    for (int k = 0; k < 4; k++)
        sum += parts[k];
    return sum;
}
static int odd(int x);
static int even(int x) { return x == 0 || odd(x - 1); }
static int odd(int x) { return x != 0 && even(x - 1); }
static int counted(int x) { return calls++ + x; }
static int by_way_of(int x) { return counted(x) + 1; }
static int scaled(int x) { return scale * x; }
static int looked_up(int i) { return table[i]; }
static int of_pointer(const int *p, int i) { return scaled(p[i]); }
static int found(int i) { return b[(THREADS - 1) * N + i]; }
static int stored(int i, int x) { b[(THREADS - 1) * N + i] = x; return x; }
static int ends_early(int i) { if (i == 50) bound = 60; return i; }
static int put(int *place, int x) { *place = x; return x; }

static void that_compute(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        to[i] = weighted(from[i]);
    for (int i = 0; i < N; i++)
        expect("weighted", to[i], 20 * i);
    for (int i = 0; i < N; i++)
        sum += even(i % 5) ? from[i] : 0;
    int expected = 0;
    for (int i = 0; i < N; i++)
        expected += i % 5 % 2 == 0 ? i : 0;
    expect("even", sum, expected);
    for (int i = 0; i < N / 2; i++)
        to[twice(i)] = from[twice(i)] + 1;
    for (int i = 0; i < N; i++)
        expect("every second", to[i], i % 2 ? 20 * i : i + 1);
}

static void that_do_more(void)
{
    int i, last = 0;
    calls = 0;
    for (i = 0; i < N; i++)
        to[i] = by_way_of(from[i]);
    expect("calls", calls, N);
    for (i = 0; i < N; i++)
        expect("counted", to[i], 2 * i + 1);
    for (i = 0; i < N; i++) {
        scale = i;
        to[i] = scaled(from[i]);
    }
    for (i = 0; i < N; i++)
        expect("scaled", to[i], i * i);
    int local[4];
    scale = 1;
    for (i = 0; i < N; i++) {
        local[i % 4] = i;
        to[i] = of_pointer(local, i % 4) + from[i];
    }
    for (i = 0; i < N; i++)
        expect("by a pointer", to[i], 2 * i);
    table[0] = 3;
    for (i = 0; i < N; i++) {
        table[(i + 1) % N] = i % 7;
        to[i] = from[looked_up(i)];
    }
    for (i = 0; i < N; i++)
        expect("looked up", to[i], i == 0 ? 3 : (i - 1) % 7);
    unsigned mixed = 0, expected = 0;
    for (i = 0; i < N; i++)
        table[i] = i % 5;
    for (i = 0; i < N; i++) {
        int at = looked_up(i);
        mixed = 3 * mixed + from[at];
        table[(i + 1) % N] = i % 7;
    }
    for (i = 0; i < N; i++)
        expected = 3 * expected + (i == 0 ? 0 : (i - 1) % 7);
    expect("looked up and mixed", mixed, expected);
    to[0] = 0;
    for (i = 1; i < N; i++)
        to[i] = found(i - 1) + 1;
    for (i = 0; i < N; i++)
        expect("found", to[i], i);
    for (i = 0; i < N - 1; i++)
        last += to[i] + stored(i + 1, from[i]);
    for (i = 0; i < N; i++)
        expect("stored", to[i], i == 0 ? 0 : i - 1);
    expect("before it is stored", last, (N - 2) * (N - 3) / 2 + (N - 2) * (N - 1) / 2);
    int n = 0;
    for (i = 0; i < bound; i++)
        n += from[ends_early(i)] >= 0;
    expect("a bound that a call changes", n, 60);
    int place = 0;
    for (i = 0; i < N; i++)
        to[i] = put(&place, from[i]) + place;
    for (i = 0; i < N; i++)
        expect("put", to[i], 2 * i);
}

int main(void)
{
    for (int i = MYTHREAD * N; i < (MYTHREAD + 1) * N; i++)
        a[i] = i - MYTHREAD * N;
    upc_barrier;
    from = (shared [] int *)&a[(THREADS - 1) * N];
    to = (shared [] int *)&b[(THREADS - 1) * N];
    if (MYTHREAD == 0) {
        that_compute();
        that_do_more();
    }
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
