/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations as data: another host may perform them. */
#ifndef FL_CORE_ATOMIC_OP_H
#define FL_CORE_ATOMIC_OP_H

#include <stdbool.h>
#include <stdint.h>

enum fl_atomic_kind {
    FL_ATOMIC_LOAD,
    FL_ATOMIC_STORE,
    FL_ATOMIC_EXCHANGE,
    FL_ATOMIC_COMPARE_EXCHANGE,
    FL_ATOMIC_ADD,
    FL_ATOMIC_SUB,
    FL_ATOMIC_AND,
    FL_ATOMIC_OR,
    FL_ATOMIC_XOR,
    FL_ATOMIC_NAND,
    FL_ATOMIC_KINDS
};

/* On an object of 1, 2, 4 or 8 bytes, if another is to perform it. */
struct fl_atomic_op {
    void *at;
    bool relaxed;  /* it orders no other accesses */
    bool releases; /* it orders the thread's earlier ones before it */
    bool no_result; /* the program does not use the result */
    enum fl_atomic_kind kind;
    unsigned bytes; /* 0: another cannot perform it */
    uint64_t value, expected; /* the latter of FL_ATOMIC_COMPARE_EXCHANGE */
    uint64_t old;             /* what was there, when it has been performed */
    unsigned lock;            /* the memory's, which a caller that executes it itself has meanwhile */
};

/* Whether the operation stores something, and what; higher bytes than the object has mean nothing. */
static inline bool fl_atomic_stores(const struct fl_atomic_op *op, uint64_t old, uint64_t *value_p) {
    uint64_t value = op->value;
    switch (op->kind) {
    case FL_ATOMIC_STORE:
    case FL_ATOMIC_EXCHANGE: *value_p = value; return true;
    case FL_ATOMIC_COMPARE_EXCHANGE: *value_p = value; return old == op->expected;
    case FL_ATOMIC_ADD: *value_p = old + value; return true;
    case FL_ATOMIC_SUB: *value_p = old - value; return true;
    case FL_ATOMIC_AND: *value_p = old & value; return true;
    case FL_ATOMIC_OR: *value_p = old | value; return true;
    case FL_ATOMIC_XOR: *value_p = old ^ value; return true;
    case FL_ATOMIC_NAND: *value_p = ~(old & value); return true;
    default: return false;
    }
}

#endif
