/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations as data: another host may perform an update, an operation without a result. */
#ifndef FL_CORE_ATOMIC_OP_H
#define FL_CORE_ATOMIC_OP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Operations on floating-point numbers: name, and what is made of `old` and `value`. R: reversed.
 * Minima and maxima are x86's: without an order, the second number counts. */
#define FL_ATOMIC_FLOATS(F)                                                                        \
    F(ADD, old + value)                                                                            \
    F(SUB, old - value)                                                                            \
    F(RSUB, value - old)                                                                           \
    F(MUL, old * value)                                                                            \
    F(DIV, old / value)                                                                            \
    F(RDIV, value / old)                                                                           \
    F(MIN, old < value ? old : value)                                                              \
    F(RMIN, value < old ? value : old)                                                             \
    F(MAX, old > value ? old : value)                                                              \
    F(RMAX, value > old ? value : old)

enum fl_atomic_kind {
    FL_ATOMIC_STORE,
    FL_ATOMIC_ADD,
    FL_ATOMIC_SUB,
    FL_ATOMIC_AND,
    FL_ATOMIC_OR,
    FL_ATOMIC_XOR,
    FL_ATOMIC_NAND,
    FL_ATOMIC_MUL,
#define FL_ATOMIC_FLOAT(name, made) FL_ATOMIC_FLOAT_##name,
    FL_ATOMIC_FLOATS(FL_ATOMIC_FLOAT)
#undef FL_ATOMIC_FLOAT
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

/* What an update makes of a floating-point number. */
#define FL_ATOMIC_FLOAT(name, made)                                                                \
    case FL_ATOMIC_FLOAT_##name: value = made; break;
#define FL_ATOMIC_UPDATED(type, bits)                                                              \
    static inline uint64_t fl_atomic_updated_##type(enum fl_atomic_kind kind, uint64_t old_bits,   \
                                                    uint64_t value_bits) {                         \
        bits old_word = (bits)old_bits, word = (bits)value_bits;                                   \
        type old, value;                                                                           \
        memcpy(&old, &old_word, sizeof old);                                                       \
        memcpy(&value, &word, sizeof value);                                                       \
        switch (kind) {                                                                            \
            FL_ATOMIC_FLOATS(FL_ATOMIC_FLOAT)                                                      \
        default: break;                                                                            \
        }                                                                                          \
        memcpy(&word, &value, sizeof word);                                                        \
        return word;                                                                               \
    }
FL_ATOMIC_UPDATED(float, uint32_t)
FL_ATOMIC_UPDATED(double, uint64_t)
#undef FL_ATOMIC_UPDATED
#undef FL_ATOMIC_FLOAT

/* What an update makes of an object of so many bytes; higher ones mean nothing. */
static inline uint64_t fl_atomic_updated(enum fl_atomic_kind kind, unsigned bytes, uint64_t old,
                                         uint64_t value) {
    switch (kind) {
    case FL_ATOMIC_STORE: return value;
    case FL_ATOMIC_ADD: return old + value;
    case FL_ATOMIC_SUB: return old - value;
    case FL_ATOMIC_AND: return old & value;
    case FL_ATOMIC_OR: return old | value;
    case FL_ATOMIC_XOR: return old ^ value;
    case FL_ATOMIC_NAND: return ~(old & value);
    case FL_ATOMIC_MUL: return old * value;
    default:
        return bytes == sizeof(float) ? fl_atomic_updated_float(kind, old, value)
                                      : fl_atomic_updated_double(kind, old, value);
    }
}

/* Whether there is such an operation on an object of so many bytes. */
static inline bool fl_atomic_exists(unsigned kind, unsigned bytes) {
    bool is_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    return kind < FL_ATOMIC_KINDS && is_size && (kind <= FL_ATOMIC_MUL || bytes >= sizeof(float));
}

#endif
