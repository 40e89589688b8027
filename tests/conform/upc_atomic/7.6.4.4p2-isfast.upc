// SPDX-License-Identifier: BSD-3-Clause
// Fast is what one instruction does on an aligned object, on whatever thread of the host it is.
#include "../../check.h"
#include <upc_atomic.h>
#include "inputs/types.h"

shared long at[THREADS];

int main(void)
{
    shared void *here = &at[MYTHREAD], *there = &at[(MYTHREAD + 1) % THREADS];
    shared void *between = (shared [] char *)here + 2;
    int near = bupc_thread_distance(MYTHREAD, upc_threadof(there)) < BUPC_THREADS_VERYFAR;
    const upc_op_t swift = ACCESSORS | BITWISE | UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC;
#define TYPE(name, type, upc)                                           \
    CHECK(upc_atomic_isfast(upc, upc == UPC_FLOAT || upc == UPC_DOUBLE ? ACCESSORS : swift, here)); \
    CHECK_EQ(upc_atomic_isfast(upc, UPC_GET, there), near);             \
    CHECK(!upc_atomic_isfast(upc, UPC_GET, between));                   \
    CHECK(!upc_atomic_isfast(upc, UPC_GET | UPC_MULT, here));
    INTEGERS(TYPE)
    FLOATS(TYPE)
    CHECK_EQ(upc_atomic_isfast(UPC_PTS, ACCESSORS, there), near);
    CHECK(!upc_atomic_isfast(UPC_DOUBLE, UPC_ADD, here));
    CHECK(!upc_atomic_isfast(UPC_PTS, UPC_ADD, here));
    CHECK(!upc_atomic_isfast(UPC_CHAR, UPC_GET, here));
    CHECK(!upc_atomic_isfast(12345, UPC_GET, here));
    return check_done();
}
