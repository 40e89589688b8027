// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops whose bodies give names another meaning, or a value another type; subscripts of any operators; and
// heads that say things twice.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, ROW = 8, N = 240 };

static shared [BLOCK] int a[N * THREADS], b[N * THREADS];
static shared int c[N * THREADS];
static shared [4 * ROW] int rows[N * THREADS][ROW];

/* All of them get 10, 3 and -1. */
static __attribute__((noinline)) void shadowed(int n, int k, unsigned most)
{
    long sum = 0;
    int i;
    shared int *p = c;
    for (i = 0; i < n; i++, p++) {
        int i = 7;
        sum += *p + i;
    }
    expect("an index of the body", sum, 45 + 70);
    p = c;
    for (i = 0, sum = 0; i < n; i++) {
        int i = 7;
        sum += *p++ * i;
    }
    expect("beside a pointer that moves", sum, 7 * 45);
    sum = 0;
    for (p = c + k; p < c + n; p++) {
        int k = 2;
        sum += *p * k;
    }
    expect("a bound of the body", sum, 2 * 42);
    sum = 0;
    shared [BLOCK] int *q;
    upc_forall (q = a + k; q < a + n; q++; q) {
        int k = 1;
        sum += *(q + k) - *q - 1;
    }
    expect("distributed", sum, 0);
    for (i = 1; i < n; i++) {
        int l = most;
        sum += a[i + l];
    }
    expect("a value of another type", sum, 36);
    enum { L = 1 };
    sum = 0;
    for (i = 0; i < n; i++) {
        enum { L = 3 };
        sum += a[i + L] - a[(i + L) % n];
    }
    expect("an enumerator of the body", sum, 3 * n);
}

static __attribute__((noinline)) void operators(int n)
{
    int i, j;
    upc_forall (i = 0; i < n; i++; &rows[i][0]) {
        int sum = 0, expected = 0;
        for (j = 0; j < ROW; j++) {
            sum += rows[i][j & 3] + 10 * rows[i][j == 5 ? 0 : j] + 100 * rows[i][j >> 1] + 1000 * rows[i][j < 7];
            expected += (j & 3) + 10 * (j == 5 ? 0 : j) + 100 * (j >> 1) + 1000 * (j < 7);
        }
        expect("subscripts of a row", sum, expected + 1111 * ROW * ROW * i);
    }
    long sum = 0;
    for (i = 0; i < n; i++) {
        int l = (i + 0) % n, r = i == 0 ? n - 1 : i - 1;
        sum += a[l] - b[r];
    }
    expect("two names at once", sum, 0);
}

static __attribute__((noinline)) void twice(int n)
{
    long sum = 0;
    int i;
    shared [BLOCK] int *p, *q;
    for (i = 0, i = 5; i < n; i++)
        sum += a[i];
    expect("two first values", sum, 35);
    for (p = a, q = a + 5, p = a + 7; p < a + n; p++, q++)
        sum += *p - *q;
    expect("of a pointer", sum, 35 + 6);
    for (i = 0, p = a; i < 5; i++, p++, p++)
        sum -= *p;
    expect("two steps", sum, 41 - 20);
    upc_forall (p = a + n - 1; p >= a; p--; p)
        sum += *p - *p;
    expect("down to what is before the array", p < a, 1);
    for (i = 0, p = a; i < n; i++)
        sum += i + __builtin_constant_p(*p++);
    expect("not evaluated", p - a, 0);
    for (i = 0; i < n; i++) {
        int l = i - l + l;
        sum += i < 0 ? a[l] : 0;
    }
    expect("a name of itself", sum, 41 - 20 + 45);
}

/* What stands still in a loop, by types and names of its body; all gets 3. */
static __attribute__((noinline)) void types_of_the_body(int n, shared [BLOCK] int *p, const int *map)
{
    int i, sum = 0;
    for (i = 0; i < 40; i++) {
        typedef short narrow;
        sum += a[i + (narrow)n];
    }
    for (i = 0; i < 40; i++) {
        struct three {
            char of[3];
        };
        sum -= p[i + n * sizeof(struct three) / 3];
    }
    upc_forall (i = 0; i < 40; i++; &a[i]) {
        enum { TWICE = 2 };
        sum += a[i + n * TWICE] - i - 2 * n;
    }
    for (i = 0; i < 40; i++) {
        int of[n];
        sum += a[i + (int)(sizeof of / sizeof *of)] - i - 3;
    }
    i = 0;
    while (i < 40) {
        typedef unsigned char narrow;
        sum += a[map[(narrow)i]] - map[i];
        i++;
    }
    expect("types of the body", sum, 0);
    enum { HERE = 5 };
    sum = 0;
    for (i = 0; i < ROW; i++) {
        sum -= sizeof(enum { HERE = 2 });
        int up = n + HERE;
        sum += rows[up][i] - i;
    }
    expect("an enumerator of an expression", sum, ROW * (ROW * (n + 2) - (long)sizeof(int)));
}

int main(void)
{
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        a[i] = b[i] = c[i] = i;
        for (int j = 0; j < ROW; j++)
            rows[i][j] = ROW * i + j;
    }
    upc_barrier;
    shadowed(10, 3, -1u);
    operators(N * THREADS);
    twice(10);
    static int map[40];
    for (int i = 0; i < 40; i++)
        map[i] = 7 * i % 40;
    types_of_the_body(3, a, map);
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
