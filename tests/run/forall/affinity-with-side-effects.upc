// SPDX-License-Identifier: BSD-3-Clause
// The affinity is an expression like any other: calls, assignments, shared reads, conditionals.
#include "../../check.h"

shared int owner[10 * THREADS];
shared [2] char a[10 * THREADS];
static int calls;

static int choose(int i)
{
    calls++;
    return i / 2;
}

static shared [2] char *place(int i)
{
    calls++;
    return &a[i];
}

int main(void)
{
    int n = 10 * THREADS, x, mine = 0;
    upc_forall(int i = 0; i < n; i++; choose(i)) CHECK_EQ(i / 2 % THREADS, MYTHREAD);
    upc_forall(int i = 0; i < n; i++; place(i)) CHECK_EQ(i / 2 % THREADS, MYTHREAD);
    CHECK_EQ(calls, 2 * n);
    upc_forall(int i = 0; i < n; i++; x = 3 * i) CHECK_EQ(x % THREADS, MYTHREAD);
    CHECK_EQ(x, 3 * (n - 1));
    upc_forall(int i = 0; i < n; i++; i) owner[i] = n - i;
    upc_barrier;
    upc_forall(int i = 0; i < n; i++; owner[i]) CHECK_EQ((n - i) % THREADS, MYTHREAD);
    upc_forall(int i = 0; i < n; i++; i % 2 ? &a[0] : &a[i]) mine++;
    upc_forall(int i = 0; i < n; i++; (x++, i)) mine += 0;
    CHECK(mine >= (MYTHREAD == 0 ? n / 2 : 0));
    return check_done();
}
