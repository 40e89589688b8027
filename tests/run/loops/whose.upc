// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops that say or ask in different ways which iterations are a thread's: each iteration is made once, by
// the thread that has the element, and the index is left as C leaves it.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 500, COLUMNS = 5 };

struct record {
    int before;
    struct {
        int x, y;
    } in;
};

static shared [BLOCK] int blocked[N * THREADS], who[N * THREADS];
static shared int cyclic[N * THREADS];
static shared [COLUMNS] int rows[N * THREADS][COLUMNS];
static shared [BLOCK] struct record records[N * THREADS];
static int n;

/* Each element of `who` has been written by the thread that a thread finds for it, plus 1. */
static void expect_owners(const char *what, int first, int last, int by)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int owner = by == 0 ? (int)upc_threadof(&who[i]) : by == 1 ? i % THREADS : i / by % THREADS;
        expect(what, who[i], i >= first && i < last ? owner + 1 : 0);
    }
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS)
        who[i] = 0;
    upc_barrier;
}

static void by_affinity(void)
{
    int i;
    upc_forall (i = 0; i < n; i++; i / BLOCK)
        who[i] += MYTHREAD + 1;
    expect("index", i, n);
    expect_owners("i / BLOCK", 0, n, 0);
    upc_forall (i = 3; i < n - 5; i++; (i / BLOCK) % THREADS)
        who[i] += MYTHREAD + 1;
    expect_owners("(i / BLOCK) % THREADS", 3, n - 5, 0);
    upc_forall (i = 0; i < n; i++; i / 7)
        who[i] += MYTHREAD + 1;
    expect_owners("i / 7", 0, n, 7);
    upc_forall (i = 1; i != n; i++; i % THREADS)
        who[i] += MYTHREAD + 1;
    expect("index of !=", i, n);
    expect_owners("i % THREADS", 1, n, 1);
    upc_forall (i = 0; i < n; i++; &records[i].in.y) {
        records[i].in.x = i;
        who[i] += MYTHREAD + 1;
    }
    expect_owners("a member", 0, n, 0);
    for (i = 0; i < n; i++)
        expect("member", records[i].in.x, i);
}

static void by_question(void)
{
    int i;
    for (i = 2; i < n; i++)
        if (upc_threadof(&blocked[i]) == MYTHREAD)
            who[i] += MYTHREAD + 1;
    expect("index of a question", i, n);
    expect_owners("upc_threadof", 2, n, 0);
    for (i = 0; i < n; i++) {
        if (MYTHREAD == i % THREADS) {
            cyclic[i] = 2 * i;
            if (i % 3 == 0)
                continue;
            who[i] += MYTHREAD + 1;
        }
    }
    for (i = MYTHREAD; i < n; i += THREADS) {
        expect("cyclic", cyclic[i], 2 * i);
        who[i] += i % 3 ? 0 : MYTHREAD + 1;
    }
    expect_owners("i % THREADS, asked", 0, n, 1);
    for (i = 0; i < n; i++) {
        if (i % THREADS == MYTHREAD) {
            for (int j = 0; j < COLUMNS; j++)
                rows[i][j] = i * j;
        }
    }
    upc_barrier;
    for (i = 0; i < n; i++) {
        for (int j = 0; j < COLUMNS; j++)
            expect("rows", rows[i][j], i * j);
    }
    upc_barrier;
}

/* What looks like such a question, and is none. */
static void otherwise(void)
{
    int i, mine = 0, others = 0, stopped = 0;
    for (i = 0; i < n; i++) {
        if (i % THREADS == MYTHREAD)
            mine++;
        else
            others++;
    }
    expect("others", mine + others, n);
    for (i = 0; i < n; i++) {
        if (i % THREADS == MYTHREAD) {
            stopped++;
            if (i >= n / 2)
                break;
        }
    }
    expect("where it stops", i % THREADS, MYTHREAD);
    expect("before the stop", i, n / 2 + (MYTHREAD - n / 2 % THREADS + THREADS) % THREADS);
    for (i = 0; i < n; i++)
        if (i % THREADS == 0)
            mine++;
    expect("thread 0's", mine, n / THREADS + n / THREADS);
}

int main(void)
{
    n = N * THREADS;
    by_affinity();
    by_question();
    otherwise();
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
