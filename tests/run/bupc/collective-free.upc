// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// The names that the collective free functions had before UPC 1.3.
#include <upc_relaxed.h>

#include "../../check.h"

int main(void)
{
    void (*give_back)(shared void *) = bupc_all_free;
    shared int *a = upc_all_alloc(THREADS, sizeof(int));
    a[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(a[THREADS - 1], THREADS - 1);
    bupc_all_free(a);
    give_back(upc_all_alloc(THREADS, 100));
    bupc_all_free(NULL);
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    upc_unlock(lock);
    bupc_all_lock_free(lock);
    return check_done();
}
