// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 5x1 1x7
// Affinity to elements of blocked arrays: with offsets, strides, expressions and pointers.
#include "inputs/check_loop.h"

enum { N = 20 };
shared [4] int a[N * THREADS];
static int shift;

static int owner(int i)
{
    return i / 4 % THREADS;
}

static int owner_of_next(int i)
{
    return (i + 1) / 4 % THREADS;
}

static int owner_shifted(int i)
{
    return (i + shift) / 4 % THREADS;
}

static int owner_of_double(int i)
{
    return 2 * i / 4 % THREADS;
}

int main(void)
{
    int n = N * THREADS;
    begin_loop();
    upc_forall(int i = 0; i < n; i++; &a[i]) perform(i);
    end_loop(0, n, 1, owner);
    begin_loop();
    upc_forall(int i = n - 1; i >= 0; i--; &a[i]) perform(i);
    end_loop(0, n, 1, owner);
    begin_loop();
    upc_forall(int i = 3; i < n - 1; i++; &a[i + 1]) perform(i);
    end_loop(3, n - 1, 1, owner_of_next);
    begin_loop();
    upc_forall(int i = 1; i < n; i += 3; a + i) perform(i);
    end_loop(1, n, 3, owner);
    begin_loop();
    upc_forall(int i = 0; i < n / 2; i++; &a[2 * i]) perform(i);
    end_loop(0, n / 2, 1, owner_of_double);
    for (shift = 0; shift < 9; shift++) {
        shared [4] int *p = a + shift;
        begin_loop();
        upc_forall(int i = 0; i < n - 9; i++; &p[i]) perform(i);
        end_loop(0, n - 9, 1, owner_shifted);
        begin_loop();
        upc_forall(int i = 0; i < n - 9; i++; p++) perform(i);
        end_loop(0, n - 9, 1, owner_shifted);
    }
    begin_loop();
    shared [4] int *q;
    upc_forall(q = a; q < a + n; q += 2; q) perform((int)(q - a));
    end_loop(0, n, 2, owner);
    CHECK_EQ(q - a, n);
    return check_done();
}
