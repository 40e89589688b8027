/* SPDX-License-Identifier: BSD-3-Clause */
/* See atomic_far.h. */
#include "library/atomic_far.h"

#include "upc/abi.h"

#include <string.h>

static bool equal_floats(uint64_t x, uint64_t y) {
    float a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return a == b;
}

static bool equal_doubles(uint64_t x, uint64_t y) {
    double a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return a == b;
}

static bool equal(const struct atomic_far *object, uint64_t x, uint64_t y) {
    switch (object->type) {
    case FL_COMM_F32:
        return equal_floats(x, y);
    case FL_COMM_F64:
        return equal_doubles(x, y);
    default:
        return object->is_pointer ? upcr_address(x) == upcr_address(y) : x == y;
    }
}

/* The exchange itself compares bits: it is repeated with the bits that it has found, if the values
 * are equal. */
uint64_t atomic_far_cswap(const struct atomic_far *object, uint64_t a, uint64_t b) {
    uint64_t expected = a, old;
    for (;;) {
        old = fl_comm_atomic(FL_COMM_CAS, object->type, object->address, expected, b);
        if (old == expected || !equal(object, old, a)) {
            return old;
        }
        expected = old;
    }
}

uint64_t atomic_far_mswap(const struct atomic_far *object, uint64_t mask, uint64_t b) {
    uint64_t old = fl_comm_atomic(FL_COMM_GET, object->type, object->address, 0, 0), expected;
    do {
        expected = old;
        old = fl_comm_atomic(FL_COMM_CAS, object->type, object->address, expected,
                             (expected & ~mask) | (b & mask));
    } while (old != expected);
    return old;
}
