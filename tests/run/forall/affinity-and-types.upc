// SPDX-License-Identifier: BSD-3-Clause
// Affinities that are odd but right: literals, casts, parentheses, structure members, commas.
#include "../../check.h"

struct cell { int v; shared int *owner; };
shared struct cell cells[6 * THREADS];
shared int marks[6 * THREADS];
shared [4] struct { short a[3]; } nested[6 * THREADS];
enum { HERE = 0 };

int main(void)
{
    int n = 6 * THREADS, turns = 0, i;
    upc_forall(i = 0; i < n; i++; (&marks[i])) marks[i] = 1;
    upc_forall(i = 0; i < n; i++; (int)(i * 1.0)) CHECK_EQ(i % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; 'a') turns += ('a' % THREADS) == MYTHREAD;
    CHECK_EQ(turns, 'a' % THREADS == MYTHREAD ? n : 0);
    turns = 0;
    upc_forall(i = 0; i < n; i++; HERE) turns++;
    CHECK_EQ(turns, MYTHREAD == 0 ? n : 0);
    upc_forall(i = 0; i < n; i++; &cells[i].v) cells[i].owner = &marks[i];
    upc_barrier;
    upc_forall(i = 0; i < n; i++; cells[i].owner) CHECK_EQ(i % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; &nested[i].a[i % 3]) CHECK_EQ(i / 4 % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; nested[i].a) CHECK_EQ(i / 4 % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; (marks + i, &nested[i])) CHECK_EQ(i / 4 % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; i & 1 ? i : i + THREADS) CHECK_EQ(i % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; *&i) CHECK_EQ(i % THREADS, MYTHREAD);
    upc_forall(i = 0; i < n; i++; upc_threadof(&nested[i]))
        CHECK_EQ(i / 4 % THREADS, MYTHREAD);
    return check_done();
}
