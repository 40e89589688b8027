// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 2:2x2 4:4x1
// A queue under a lock: every item is taken once.
#include "../../check.h"

enum { N = 2000 };
typedef shared [] struct item *link;
struct item { int number; link next; };
shared link head;
shared int taken[N * THREADS];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < N; i++) {
        link item = upc_alloc(sizeof(struct item));
        item->number = N * MYTHREAD + i;
        upc_lock(lock);
        item->next = head;
        head = item;
        upc_unlock(lock);
    }
    upc_barrier;
    for (;;) {
        upc_lock(lock);
        link item = head;
        if (item)
            head = item->next;
        upc_unlock(lock);
        if (!item)
            break;
        taken[item->number]++;
        upc_free(item);
    }
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(taken[i], 1);
    upc_all_lock_free(lock);
    return check_done();
}
