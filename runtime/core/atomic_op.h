/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations as data: another host may perform an update, an operation without a result. */
#ifndef FL_CORE_ATOMIC_OP_H
#define FL_CORE_ATOMIC_OP_H

#include <stdbool.h>
#include <stdint.h>

enum fl_atomic_kind {
    FL_ATOMIC_STORE,
    FL_ATOMIC_ADD,
    FL_ATOMIC_SUB,
    FL_ATOMIC_AND,
    FL_ATOMIC_OR,
    FL_ATOMIC_XOR,
    FL_ATOMIC_NAND,
    FL_ATOMIC_KINDS
};

struct fl_atomic_op {
    void *at;
    bool relaxed;  /* it orders no other accesses */
    unsigned lock; /* the memory's, which a caller that executes it itself has meanwhile */
    /* Of an update, of 1, 2, 4 or 8 bytes; 0: it is none, and the caller executes it. */
    unsigned bytes;
    enum fl_atomic_kind kind;
    uint64_t value;
};

/* What an update makes of an object; higher bytes than the object has mean nothing. */
static inline uint64_t fl_atomic_updated(enum fl_atomic_kind kind, uint64_t old, uint64_t value) {
    switch (kind) {
    case FL_ATOMIC_ADD: return old + value;
    case FL_ATOMIC_SUB: return old - value;
    case FL_ATOMIC_AND: return old & value;
    case FL_ATOMIC_OR: return old | value;
    case FL_ATOMIC_XOR: return old ^ value;
    case FL_ATOMIC_NAND: return ~(old & value);
    default: return value;
    }
}

#endif
