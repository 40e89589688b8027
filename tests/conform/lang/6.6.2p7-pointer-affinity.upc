// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p7
// With a pointer affinity the thread that owns the object performs the iteration.
#include "../../check.h"

typedef struct { int id; double w[3]; } record;
shared int cyclic[10 * THREADS];
shared [3] record blocked[10 * THREADS];
shared [*] char star[10 * THREADS];
shared [] int indefinite[10];
shared [2] int matrix[THREADS][6];

int main(void)
{
    int n = 10 * THREADS, turns = 0;
    upc_forall(int i = 0; i < n; i++; &cyclic[i]) CHECK_EQ(upc_threadof(&cyclic[i]), MYTHREAD);
    upc_forall(int i = n - 1; i >= 0; i--; &blocked[i])
        CHECK_EQ(i / 3 % THREADS, MYTHREAD);
    upc_forall(int i = 0; i < n; i++; blocked + i) CHECK_EQ(i / 3 % THREADS, MYTHREAD);
    upc_forall(int i = 0; i < n; i++; &blocked[i].w[1]) CHECK_EQ(i / 3 % THREADS, MYTHREAD);
    upc_forall(int i = 0; i < n; i += 3; &star[i]) CHECK_EQ(i / 10, MYTHREAD);
    upc_forall(int i = 0; i < 10; i++; &indefinite[i]) CHECK_EQ(MYTHREAD, 0);
    upc_forall(int i = 0; i < THREADS; i++; matrix[i]) CHECK_EQ(6 * i / 2 % THREADS, MYTHREAD);
    upc_forall(int i = 0; i < n; i++; (shared void *)&cyclic[i]) turns++;
    CHECK_EQ(turns, 10);
    for (shared int *p = cyclic; p < cyclic + n; p++)
        CHECK_EQ(upc_threadof(p), (p - cyclic) % THREADS);
    turns = 0;
    upc_forall(shared int *p = cyclic; p < cyclic + n; p++; p) turns++;
    CHECK_EQ(turns, 10);
    return check_done();
}
