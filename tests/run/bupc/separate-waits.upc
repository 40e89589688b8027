// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:4x1
// Programs that wait for puts and gets apart (BUPC_SYNCI_PUTGETS).
#include "../../check.h"
#include <upc.h>

shared int cells[THREADS];

int main(void)
{
    int mine = MYTHREAD + 1, got = 0, next = (MYTHREAD + 1) % THREADS;
    CHECK(BUPC_SYNCI_PUTGETS);
    bupc_memput_asynci(&cells[next], &mine, sizeof mine);
    bupc_waitsynci_puts();
    upc_barrier;
    bupc_memget_asynci(&got, &cells[next], sizeof got);
    while (!bupc_trysynci_gets())
        bupc_poll();
    bupc_waitsynci_gets();
    CHECK_EQ(got, mine);
    return check_done();
}
