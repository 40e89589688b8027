// SPDX-License-Identifier: BSD-3-Clause
// Small loops over subscripts, which the C compiler is asked to unroll, wherever C lets a loop stand:
// each iteration happens once, in order, with any number of iterations.
//@ mappings: 1x1 3x1 1x5 2x2 2:4x1
//@ flags: -O2 -Wall -Werror
#include "../../check.h"
#include <upc_relaxed.h>

enum { N = 23 };

shared int cyclic[N * THREADS];
shared [3] int blocked[3 * N * THREADS];
static int index_of[N];

static long after_label(int n) {
    long sum = 0;
    if (n < 0) {
        goto begin;
    }
begin:
    for (int i = 0; i < n; i++) {
        sum = 3 * sum + cyclic[index_of[i]];
    }
    return sum;
}

static long after_if(int n, int which) {
    long sum = 0;
    if (which)
        for (int i = 0; i < n; i++)
            sum = 3 * sum + cyclic[index_of[i]];
    else
        for (int i = 0; i < n; i++)
            sum = 3 * sum + blocked[index_of[i]];
    return sum;
}

static long after_case(int n, int which) {
    long sum = 0;
    switch (which) {
    case 0:
        for (int i = 0, j = 0; i < n; i++, j++) {
            sum = 3 * sum + cyclic[index_of[(i + j) / 2]];
        }
        break;
    default:
        for (int i = 0, *p = index_of; i < n; i++) {
            sum += cyclic[p[i]];
        }
    }
    return sum;
}

static long within_expression(int n) {
    return ({
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 4 == 1) {
                continue;
            }
            sum = 3 * sum + cyclic[index_of[i]];
        }
        sum;
    });
}

/* gcc warns of a pragma for what is no loop. */
static long without_end(int n) {
    for (int i = 0; i < n; i++) {
        return cyclic[index_of[i]];
    }
    return -1;
}

static long expected(int n, int skips) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum = skips && i % 4 == 1 ? sum : 3 * sum + index_of[i] * 7;
    }
    return sum;
}

static void check_writes(int n) {
    for (int i = 0; i < n; i++) {
        cyclic[index_of[i]] += i;
    }
    for (int i = 0; i < n; i++) {
        CHECK_EQ(cyclic[index_of[i]], index_of[i] * 7 + i);
    }
    for (int i = n; i-- > 0;) {
        cyclic[index_of[i]] -= i;
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        index_of[i] = i * 5 % N;
    }
    if (MYTHREAD == 0) {
        for (int i = 0; i < N; i++) {
            cyclic[i] = blocked[i] = 7 * i;
        }
    }
    upc_barrier;
    for (int n = 0; n <= N; n++) {
        long all = expected(n, 0), sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 7 * index_of[i];
        }
        CHECK_EQ(after_label(n), all);
        CHECK_EQ(after_if(n, 0), all);
        CHECK_EQ(after_if(n, 1), all);
        CHECK_EQ(after_case(n, 0), all);
        CHECK_EQ(after_case(n, 1), sum);
        CHECK_EQ(within_expression(n), expected(n, 1));
        CHECK_EQ(without_end(n), n ? 0 : -1);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        check_writes(N);
    }
    return check_done();
}
