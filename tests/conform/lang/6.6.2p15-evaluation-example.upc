// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p15
// Example 2: foo1 once, foo2 and foo3 in turn, foo4 exactly ten times over all threads.
#include "../../check.h"

static int n1, n2, n3, n4;
shared int total;

static int foo1(void) { return ++n1; }
static int foo2(void) { CHECK_EQ(n2, n3); return ++n2; }
static int foo3(void) { CHECK_EQ(n3, n2 - 1); return ++n3; }
static void foo4(int i) { CHECK_EQ(i % THREADS, MYTHREAD); n4++; }

int main(void)
{
    int i;
    upc_forall((foo1(), i = 0); (foo2(), i < 10); (foo3(), i++); i) {
        foo4(i);
    }
    CHECK_EQ(n1, 1);
    CHECK_EQ(n2, 11);
    CHECK_EQ(n3, 10);
    CHECK_EQ(i, 10);
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    total += n4;
    upc_unlock(lock);
    upc_barrier;
    CHECK_EQ(total, 10);
    return check_done();
}
