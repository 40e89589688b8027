// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.1p3
// Pointers to the same lock are equal, to different locks are not.
#include "../../check.h"

upc_lock_t *shared published;

int main(void)
{
    upc_lock_t *a = upc_all_lock_alloc(), *b = upc_all_lock_alloc();
    if (MYTHREAD == THREADS - 1)
        published = a;
    upc_barrier;
    CHECK(published == a);
    CHECK(a != b);
    CHECK(a != NULL && b != 0);
    upc_barrier;
    upc_all_lock_free(a);
    upc_all_lock_free(b);
    return check_done();
}
