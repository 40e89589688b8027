// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3 -Wall -Werror
// Loops that reach their elements by functions of one expression: what a call means stays so where the
// function's text takes its place.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

#define same(got, expected) expect(#got, got, expected)

enum { WIDE = 24, HIGH = 9 /* rows of each thread */, OWN = WIDE * HIGH };
typedef int index_t;
struct cell { int x[3], n : 7; };

static shared [OWN] int grid[HIGH * THREADS][WIDE], to[HIGH * THREADS][WIDE];
static shared [OWN] int flat[OWN * THREADS];
static shared int cyclic[OWN * THREADS];
static shared [10] struct cell cells[OWN * THREADS];
static int rows, all, scale = 3, calls, top;

static int early(int);
static inline int at(int i, int j) { return i * WIDE + j; }
static inline int get(int i, int j) { return grid[i][j]; }
static inline void put(int i, int j, int v) { to[i][j] = v; }
static int flat_at(int i, int j)
{
    return flat[at(i, j)]
        + 0;
}
static inline void add(size_t i, int v) { cyclic[i] += v; }
static inline shared [OWN] int *place(int i, int j) { return &to[i][j]; }
static inline struct cell cell(int i) { return cells[i]; }
static inline int small(int i) { return cells[i].n; }
static inline int from(const shared [OWN] int *p, int i) { return p[i]; }
static inline int scaled(int i) { return flat[i] * scale; }
static inline int cut(unsigned char i) { return cyclic[i % 8]; }
static inline unsigned char byte(int i) { return flat[i]; }
static inline double half(int i) { return flat[i] / 2; }
static inline int is_set(_Bool set, int i) { return set + cyclic[i]; }
static inline int twice(int v) { return v + flat[v % OWN] * v; }
static inline int either(int i, int v) { return i % 2 ? flat[i] : v; }
static inline int both(int i, int v) { return flat[i] % 2 && v; }
static inline long with(int *own, int i) { return own[i % 4] + (long)(index_t)flat[i]; }
static inline int down(int i) { return i % 5 ? down(i - 1) + flat[i] : 0; }
static inline int counted(int i) { return calls++, flat[i]; }
static inline int old(i) int i; { return flat[i]; }
__attribute__((noinline)) static int called(int i) { return flat[i]; }
static inline int down_from(int k) { return flat[top - k]; }
static inline int in_row(shared [OWN] int *p, int k) { return p[k]; }
static inline int in_rows(shared [OWN] int (*p)[WIDE], int i, int j) { return p[i][j]; }
__extension__ static int extended(int i) { return flat[i]; }
static int next(void) { return ++calls; }
static inline int after(int i, int v) { return flat[i] * 0 + next() * 100 + v; }
static inline int row(int i) { return i / WIDE; }

static int value(int i, int j)
{
    return i * i % 91 + 3 * j * j % 17;
}

static void fill(void)
{
    for (int i = MYTHREAD; i < rows; i += THREADS)
        for (int j = 0; j < WIDE; j++) {
            int k = i * WIDE + j;
            grid[i][j] = flat[k] = value(i, j);
            cyclic[k] = k % 1009;
            cells[k] = (struct cell){{k, k + 1, k + 2}, k % 60};
        }
    calls = 0;
    upc_barrier;
}

static void grids(void)
{
    fill();
    int row_of_all;
    upc_forall (row_of_all = 1; row_of_all < rows - 1; row_of_all++; &grid[row_of_all][0])
        for (int i = 1; i < WIDE - 1; i++)
            // The names of the parameters are the caller's for something else.
            put(row_of_all, i, get(row_of_all - 1, i) + get(row_of_all + 1, i)
                                   + flat_at(row_of_all, i - 1) + flat[at(row_of_all,
                                                                           i + 1)]);
    upc_barrier;
    for (int j = 1; j < rows - 1; j++)
        for (int i = 1; i < WIDE - 1; i++)
            same(to[j][i], value(j - 1, i) + value(j + 1, i) + value(j, i - 1) + value(j, i + 1));
    upc_barrier;
    upc_forall (int k = 0; k < all; k++; &to[row(k)][0])
        *place(row(k), k % WIDE) = k, *place(row(k), k % WIDE) += 1;
    upc_barrier;
    for (int k = 0; k < all; k++)
        same(*place(row(k), k % WIDE), k + 1);
    upc_barrier;
}

static void conversions(void)
{
    fill();
    int own[4] = {1, 2, 3, 4};
    for (int k = 0; k < all; k++) {
        int v = value(k / WIDE, k % WIDE);
        same(cut(k + 256), k % 256 % 8);
        same(byte(k) + 300, (unsigned char)v + 300);
        same(half(k) * 2 == v / 2 * 2, 1);
        same(is_set(k & 2, k), (k & 2 ? 1 : 0) + k % 1009);
        same(cell(k).x[1] + small(k), k + 1 + k % 60);
        same(from(flat, k), v);
        same(from(&flat[k], 0), v);
        same((int)with(own, k), k % 4 + 1 + v);
        same((int)sizeof(byte(k)), 1);
        same(_Generic(half(k), double: 1, default: 0), 1);
        same(old(k) + called(k) + early(k), 3 * v);
    }
    upc_barrier;
    int i;
    upc_forall (i = 0; i < all; i++; i) {
        if (i % 2)
            add(i, cyclic[i]);
        else
            add(i, 1.9);
    }
    upc_barrier;
    for (int k = 0; k < all; k++)
        same(cyclic[k], k % 2 ? k % 1009 * 2 : k % 1009 + 1);
    upc_barrier;
}

static void names(void)
{
    fill();
    int scale = 1000, n = 0, flats = 0;
    for (int k = 0; k < all; k++) {
        same(scaled(k), value(k / WIDE, k % WIDE) * 3);
        n += scale;
    }
    {
        typedef signed char index_t;
        int own[4] = {0};
        for (index_t k = 100; k < 120; k++)
            same((int)with(own, k), value(k / WIDE, k % WIDE));
    }
    for (int k = 0; k < OWN; k++)
        flats += flat[k];
    same(n, all * scale);
    upc_barrier;
    for (int k = 0; k < 3; k++) {
        int flat[3] = {7, 8, 9};
        same(called(k) + flat[k], early(k) + 7 + k);
        flats -= called(k) + flat[k];
    }
    upc_barrier;
}

static void orders(void)
{
    fill();
    int k = 0;
    while (k < OWN - 1) {
        int before = k;
        same(twice(k++), before + value(before / WIDE, before % WIDE) * before);
        same(k, before + 1);
    }
    for (int i = 0; i < OWN; i++) {
        int v = value(i / WIDE, i % WIDE), w = value(v / WIDE, v % WIDE);
        same(twice(flat[i]), v + w * v);
        same(either(i, counted(i)), i % 2 ? v : v);
        same(calls, i + 1);
        same(both(i, next()), v % 2);
        calls = i + 1;
        same(down(i), i % 5 ? down(i - 1) + v : 0);
    }
    for (int i = 0; i < 50; i++) {
        get(0, i % WIDE);
        get(0, 1), calls++;
        top = 50;
        expect("extended", extended(i), value(i / WIDE, i % WIDE));
        expect("top", down_from(i) + top++ % 2, value((50 - i) / WIDE, (50 - i) % WIDE));
        // A row as a pointer goes on beyond the row.
        expect("beyond a row", in_row(grid[0], i), value(i / WIDE, i % WIDE));
        expect("before a row", in_row(grid[3], -i), value((72 - i) / WIDE, (72 - i) % WIDE));
        expect("rows", in_rows(&grid[3], 1, i % WIDE), value(4, i % WIDE));
        calls = i;
        same(after(i, calls), (i + 1) * 100 + i);
    }
    upc_barrier;
}

static int early(int i) { return flat[i]; }

int main(void)
{
    rows = HIGH * THREADS, all = OWN * THREADS;
    grids();
    conversions();
    names();
    orders();
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
