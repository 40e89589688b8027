// SPDX-License-Identifier: BSD-3-Clause
// Barriers and their values.
//@ flags: -network=smp
#include <upc.h>

void steps(int phase) {
    upc_barrier;
    upc_barrier phase + 1;
    upc_notify phase;
    upc_wait phase;
}
