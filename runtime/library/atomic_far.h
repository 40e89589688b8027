/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations on memory of other hosts, for <upc_atomic.h> and for Berkeley's functions.
 * Values are passed as their bits, in the low bytes. */
#ifndef FL_LIBRARY_ATOMIC_FAR_H
#define FL_LIBRARY_ATOMIC_FAR_H

#include "comm/comm.h"

/* comm's types for the kinds of UPC_ATOMIC_TYPES. */
#define ATOMIC_FAR_i32 FL_COMM_I32
#define ATOMIC_FAR_u32 FL_COMM_U32
#define ATOMIC_FAR_i64 FL_COMM_I64
#define ATOMIC_FAR_u64 FL_COMM_U64
#define ATOMIC_FAR_f FL_COMM_F32
#define ATOMIC_FAR_d FL_COMM_F64
#define ATOMIC_FAR_p FL_COMM_U64

struct atomic_far {
    enum fl_comm_type type;
    bool is_pointer;
    uint64_t address;
};

/* Sets the object to b if it equals a by value: zeros of either sign are equal, and pointers of any
 * phase. Returns the old value. */
uint64_t atomic_far_cswap(const struct atomic_far *object, uint64_t a, uint64_t b);

/* Sets the bits of the object that `mask` has to those of b. Returns the old value. */
uint64_t atomic_far_mswap(const struct atomic_far *object, uint64_t mask, uint64_t b);

#endif
