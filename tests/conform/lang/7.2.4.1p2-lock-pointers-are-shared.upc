// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.1p2
// Pointers to upc_lock_t are pointers-to-shared: they can be stored and passed like those.
#include "../../check.h"

upc_lock_t *shared locks[THREADS];
shared int counter;
struct node { upc_lock_t *lock; int x; };
shared struct node node;

static void locked_add(upc_lock_t *lock)
{
    upc_lock(lock);
    counter++;
    upc_unlock(lock);
}

int main(void)
{
    locks[MYTHREAD] = upc_global_lock_alloc();
    if (MYTHREAD == 0)
        node.lock = upc_global_lock_alloc();
    upc_barrier;
    shared void *generic = node.lock;
    upc_lock_t *back = generic;
    CHECK(back == node.lock);
    for (int i = 0; i < 100; i++)
        locked_add(node.lock);
    upc_barrier;
    CHECK_EQ(counter, 100 * THREADS);
    upc_lock_free(locks[(MYTHREAD + 1) % THREADS]);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(node.lock);
    return check_done();
}
