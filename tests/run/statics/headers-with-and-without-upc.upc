// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Variables declared in a header without UPC are C's, one per process; in a header with UPC they
// are one per thread.
//@ with: plain-state.c
#include "../../check.h"
#include "inputs/plain-state.h"
#include "inputs/upc-state.uph"

int main(void)
{
    int threads_here = plain_register();
    upc_state += MYTHREAD;
    upc_barrier;
    CHECK(threads_here >= 1);
    CHECK(plain_count >= 1 && plain_count <= THREADS);
    CHECK_EQ(plain_count, plain_read());
    CHECK(plain_address == &plain_count);
    CHECK_EQ(upc_state, 50 + MYTHREAD);
    fprintf(stderr, "%s", "");
    return check_done();
}
