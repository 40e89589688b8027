// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3 2x2 2:2x2 4:4x1
// Space allocated by one thread and freed by another is used again.
#include "../../check.h"

typedef shared [] char *space;
shared space box[THREADS];

int main(void)
{
    for (int round = 0; round < 400; round++) {
        box[MYTHREAD] = upc_alloc((size_t)32 << 20);
        CHECK(box[MYTHREAD] != NULL);
        box[MYTHREAD][round] = 'x';
        upc_barrier;
        upc_free(box[(MYTHREAD + 1) % THREADS]);
        upc_barrier;
    }
    return check_done();
}
