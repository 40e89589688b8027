// SPDX-License-Identifier: BSD-3-Clause
// Shared objects, functions on pointers-to-shared and typedefs across two UPC files.
//@ with: two-upc-files-2.upc
#include "../../check.h"
#include "inputs/two-upc-files.h"

shared [4] item items[4 * THREADS];
shared int hits;
upc_lock_t *shared guard;

int main(void)
{
    if (MYTHREAD == 0)
        guard = upc_global_lock_alloc();
    for (int i = 0; i < 4; i++)
        fill(&items[4 * MYTHREAD + i], 4 * MYTHREAD + i);
    upc_barrier;
    CHECK_EQ(sum_ids(), 4 * THREADS * (4 * THREADS - 1) / 2);
    shared [4] item *p = find(4 * THREADS - 1);
    CHECK_EQ(p - items, 4 * THREADS - 1);
    CHECK_EQ(upc_phaseof(p), 3);
    CHECK(find(-5) == NULL);
    record_hit();
    upc_barrier;
    CHECK_EQ(hits, THREADS);
    CHECK_EQ(matrix[1][2 * THREADS - 1], 0);
    return check_done();
}
