// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1 3:5x1 2:2x2
// Loops that write the next thread's memory element by element, upwards, downwards and by tables, and read
// what they have written: each leaves there what the same loop leaves in private memory.
#include <stddef.h>
#include <string.h>
#include <upc_relaxed.h>
#include "expect.h"

enum { N = 700, ROWS = 20, COLUMNS = 35 };
struct record {
    char tag;
    short number;
    unsigned low : 5, high : 11;
    double value;
};
struct table {
    int n;
    shared [] double *values;
};

static shared [N] double far[N * THREADS];
static shared [N] char text[N * THREADS];
static shared [N] struct record records[N * THREADS];
static shared [1] struct table tables[THREADS];
static shared [] double *shared rows[ROWS * THREADS];
static double near[N];
static char near_text[N];
static struct record near_records[N];
static int there; /* the next thread */

static void begin(void)
{
    for (int i = 0; i < N; i++) {
        near[i] = i * 37 % 101;
    }
    upc_memput(&far[there * N], near, sizeof near);
    upc_fence;
}

static void compare(const char *what)
{
    double found[N];
    upc_fence;
    upc_memget(found, &far[there * N], sizeof found);
    int differ = 0;
    for (int i = 0; i < N; i++) {
        differ += found[i] != near[i];
    }
    expect(what, differ, 0);
    begin();
}

/* A loop, over `x`, as a function of each kind of memory. */
#define BOTH(name, ...)                                                                             \
    static void name(void)                                                                          \
    {                                                                                               \
        shared [] double *far_x = (shared [] double *)&far[there * N];                              \
        {                                                                                           \
            shared [] double *x = far_x;                                                            \
            __VA_ARGS__                                                                             \
        }                                                                                           \
        {                                                                                           \
            double *x = near;                                                                       \
            __VA_ARGS__                                                                             \
        }                                                                                           \
        compare(#name);                                                                             \
    }

BOTH(prefix_sums, for (int i = 1; i < N; i++) x[i] += x[i - 1];)
BOTH(shift_up, for (int i = N - 1; i > 0; i--) x[i] = x[i - 1];)
BOTH(shift_down, for (int i = 0; i < N - 1; i++) x[i] = x[i + 1];)
BOTH(smear, for (int i = 0; i < N - 1; i++) x[i + 1] = x[i] / 2 + 1;)
BOTH(reverse, for (int i = 0, j = N - 1; i < j; i++, j--) { double t = x[i]; x[i] = x[j]; x[j] = t; })
BOTH(bubble, for (int i = 0; i + 1 < N; i++) if (x[i] > x[i + 1]) {
    double t = x[i]; x[i] = x[i + 1]; x[i + 1] = t; })
BOTH(clip, for (int i = 0; i < N; i++) if (x[i] > 50) x[i] = 50;)
BOTH(compact, int n = 0; for (int i = 0; i < N; i++) if (x[i] > 50) x[n++] = x[i];)
BOTH(buckets, int at[7] = {0, 100, 200, 300, 400, 500, 600};
     for (int i = 0; i < N; i++) x[at[i * 5 % 7]++] = i;)
BOTH(sum_in_place, for (int i = 1; i < N; i++) x[0] += x[i];)
BOTH(add_and_set, for (int i = 0; i < N; i++) { x[i] += 1; x[i] = x[i] * 2; x[i] -= 3; })
BOTH(add_twice, for (int r = 0; r < 2; r++) for (int i = 0; i < N; i++) x[i] += i;)
BOTH(every_third, int step = 3; for (int i = 1; i < N; i += step) x[i] = -x[i];)
BOTH(rounds, for (int i = 0; i < N; i++) x[i] = x[(i + 1) % N] + x[(i + N - 1) % N];)
BOTH(triangle, for (int r = 0; r < ROWS; r++) for (int c = 0; c <= r; c++)
     x[r * COLUMNS + c] -= x[c * COLUMNS + r];)

static void strings(void)
{
    for (int i = 0; i < N; i++) {
        near_text[i] = (char)(i < N - 3 ? 'a' + i % 26 : 0);
    }
    upc_memput(&text[there * N], near_text, N / 2);
    near_text[N / 2] = 0;
    shared [N] char *to = &text[there * N];
    const char *from = near_text;
    while ((*to = *from)) {
        to++;
        from++;
    }
    int length = 0, differ = 0;
    while (text[there * N + length]) {
        differ += text[there * N + length] != near_text[length];
        length++;
    }
    expect("length of a string", length, N / 2);
    expect("a string", differ, 0);
}

static void members(void)
{
    struct record found[N];
    for (int i = 0; i < N; i++) {
        struct record r = {.tag = 1, .number = 2, .low = 3, .high = 4, .value = i};
        near_records[i] = r;
    }
    upc_memput(&records[there * N], near_records, sizeof near_records);
    for (int i = 0; i < N; i++) {
        records[there * N + i].tag = (char)(i % 100);
        records[there * N + i].number += (short)i;
        records[there * N + i].high = (unsigned)i;
        records[there * N + i].value *= 2;
    }
    upc_fence;
    upc_memget(found, &records[there * N], sizeof found);
    int differ = 0;
    for (int i = 0; i < N; i++) {
        differ += found[i].tag != i % 100 || found[i].number != 2 + i || found[i].low != 3 ||
                  found[i].high != (unsigned)i || found[i].value != 2.0 * i;
    }
    expect("members", differ, 0);
}

/* Bounds and pointers that other threads' memory holds, read in each iteration. */
static void by_tables(void)
{
    shared [] struct table *table = (shared [] struct table *)&tables[there];
    double sum = 0, expected = 0;
    for (int i = 0; i < table->n; i++) {
        sum += table->values[i];
        expected += near[i];
    }
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            sum += rows[r * THREADS + there][c] * c;
            expected += near[r * COLUMNS + c] * c;
        }
    }
    expect("sum by tables", (long)sum, (long)expected);
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            rows[r * THREADS + there][c] = near[r * COLUMNS + c] = r - c;
        }
    }
    compare("rows by a table");
}

int main(void)
{
    there = (MYTHREAD + 1) % THREADS;
    tables[MYTHREAD].n = N;
    tables[MYTHREAD].values = (shared [] double *)&far[MYTHREAD * N];
    for (int r = 0; r < ROWS; r++) {
        rows[r * THREADS + MYTHREAD] = tables[MYTHREAD].values + r * COLUMNS;
    }
    upc_barrier;
    begin();
    prefix_sums();
    shift_up();
    shift_down();
    smear();
    reverse();
    bubble();
    clip();
    compact();
    buckets();
    sum_in_place();
    add_and_set();
    add_twice();
    every_third();
    rounds();
    triangle();
    strings();
    members();
    by_tables();
    upc_barrier;
    return done();
}
