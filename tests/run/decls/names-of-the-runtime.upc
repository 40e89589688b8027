// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1
// Shared objects with names that functions of the emitter ABI have at their ends.
#include "../../check.h"

shared int thread, address, phase, row, elem, local, at, wide, packed, home;
shared [3] int cyclic[3 * THREADS], blocked[3 * THREADS];

int main(void)
{
    if (MYTHREAD == 0) {
        thread = address = phase = row = elem = local = at = wide = packed = home = 7;
    }
    upc_forall (int i = 0; i < 3 * THREADS; i++; &cyclic[i]) {
        cyclic[i] = i;
        blocked[i] = -i;
    }
    upc_barrier;
    CHECK_EQ(thread + address + phase + row + elem + local + at + wide + packed + home, 70);
    for (int i = 0; i < 3 * THREADS; i++) {
        CHECK_EQ(cyclic[i] + blocked[i], 0);
    }
    return check_done();
}
