// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.2p3
//@ mappings: 1x1 3x1 1x3 2x2 5x1
// upc_all_alloc gives shared [nbytes] char[nblocks * nbytes], starting on thread 0.
#include "../../check.h"

typedef struct { int x; double y; } record;

int main(void)
{
    int n = 3 * THREADS + 1;
    shared [2] record *p = upc_all_alloc(n, 2 * sizeof(record));
    for (int i = 0; i < 2 * n; i++) {
        CHECK_EQ(upc_threadof(&p[i]), i / 2 % THREADS);
        CHECK_EQ(upc_phaseof(&p[i]), i % 2);
    }
    upc_forall(int i = 0; i < 2 * n; i++; &p[i]) {
        record *local = (record *)&p[i];
        local->x = i;
        local->y = -i;
    }
    upc_barrier;
    for (int i = 0; i < 2 * n; i++)
        CHECK(p[i].x == i && p[i].y == -i);
    upc_all_free(p);
    return check_done();
}
