/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations: by this CPU's instructions on this host, by those of the word's host
 * elsewhere. Sequentially consistent, as the order of messages makes them anyway. [S1] pairs [S1]:
 * each with those of other threads; were one weaker, two threads could both miss the other's.
 */
#include "comm/inside.h"

#include <string.h>

enum { ORDER = __ATOMIC_SEQ_CST };

/* Sets *p to `next`, an expression of `old` and a; again if another thread was faster. */
#define UPDATE(type, next)                                                                         \
    do {                                                                                           \
        type old, new;                                                                             \
        __atomic_load(p, &old, __ATOMIC_RELAXED); /* the exchange finds out if it is stale */      \
        do {                                                                                       \
            new = (type)(next);                                                                    \
        } while (!__atomic_compare_exchange(p, &old, &new, true, ORDER, __ATOMIC_RELAXED));        \
        a = old;                                                                                   \
    } while (0)

/* What all types have. `wide` is what does not overflow undefined. */
#define COMMON_CASES(type, wide)                                                                   \
    case FL_COMM_GET:                                                                              \
        __atomic_load(p, &a, ORDER);                                                               \
        break;                                                                                     \
    case FL_COMM_SET:                                                                              \
        __atomic_exchange(p, &a, &a, ORDER);                                                       \
        break;                                                                                     \
    case FL_COMM_MULT:                                                                             \
        UPDATE(type, (wide)old * (wide)a);                                                         \
        break;                                                                                     \
    case FL_COMM_MIN:                                                                              \
        UPDATE(type, old < a ? old : a);                                                           \
        break;                                                                                     \
    case FL_COMM_MAX:                                                                              \
        UPDATE(type, old > a ? old : a);                                                           \
        break;

#define FETCH_CASE(name, function, operand)                                                          \
    case name:                                                                                     \
        a = function(p, operand, ORDER);                                                           \
        break;

/* Operations that return the old value are loops in any case; gcc 12 takes a wrong operand for
 * __atomic_fetch_or and its like under -fsanitize=address,undefined. */
#define BITS_CASE(type, name, next)                                                                \
    case name:                                                                                     \
        UPDATE(type, next);                                                                        \
        break;

#define INTEGER_CASES(type)                                                                        \
    FETCH_CASE(FL_COMM_ADD, __atomic_fetch_add, a)                                                   \
    FETCH_CASE(FL_COMM_SUB, __atomic_fetch_sub, a)                                                   \
    FETCH_CASE(FL_COMM_INC, __atomic_fetch_add, 1)                                                   \
    FETCH_CASE(FL_COMM_DEC, __atomic_fetch_sub, 1)                                                   \
    BITS_CASE(type, FL_COMM_AND, old & a)                                                          \
    BITS_CASE(type, FL_COMM_OR, old | a)                                                           \
    BITS_CASE(type, FL_COMM_XOR, old ^ a)                                                          \
    BITS_CASE(type, FL_COMM_NAND, ~(old & a))

#define FLOAT_CASES(type)                                                                          \
    case FL_COMM_ADD:                                                                              \
        UPDATE(type, (type)old + (type)a);                                                         \
        break;                                                                                     \
    case FL_COMM_SUB:                                                                              \
        UPDATE(type, (type)old - (type)a);                                                         \
        break;                                                                                     \
    case FL_COMM_INC:                                                                              \
        UPDATE(type, (type)old + 1);                                                               \
        break;                                                                                     \
    case FL_COMM_DEC:                                                                              \
        UPDATE(type, (type)old - 1);                                                               \
        break;

#define FUNCTION(name, type, wide, more_cases)                                                     \
    static uint64_t name(enum fl_comm_atomic what, void *word, uint64_t bits) {                    \
        type *p = word;                                                                            \
        type a;                                                                                    \
        memcpy(&a, &bits, sizeof a);                                                               \
        switch (what) {                                                                            \
            COMMON_CASES(type, wide)                                                               \
            more_cases default : break;                                                            \
        }                                                                                          \
        uint64_t result = 0;                                                                       \
        memcpy(&result, &a, sizeof a);                                                             \
        return result;                                                                             \
    }

/* Updates that need not be atomic, of neighbours, on memory without an alignment. */
#define PLAIN_CASE(type, name, operator)                                                           \
    case name:                                                                                     \
        for (size_t at = 0; at < bytes; at += sizeof(type)) {                                      \
            type old, a;                                                                           \
            memcpy(&old, (char *)words + at, sizeof old);                                          \
            memcpy(&a, (const char *)operands + at, sizeof a);                                     \
            old = (type)(old operator a);                                                          \
            memcpy((char *)words + at, &old, sizeof old);                                          \
        }                                                                                          \
        break;
#define PLAIN_FUNCTION(name, type, more_cases)                                                     \
    static void name(enum fl_comm_atomic what, void *words, const void *operands, size_t bytes) {  \
        switch (what) {                                                                            \
            PLAIN_CASE(type, FL_COMM_ADD, +)                                                       \
            PLAIN_CASE(type, FL_COMM_SUB, -)                                                       \
            more_cases default : break;                                                            \
        }                                                                                          \
    }
#define PLAIN_BITS(type)                                                                           \
    PLAIN_CASE(type, FL_COMM_AND, &)                                                               \
    PLAIN_CASE(type, FL_COMM_OR, |)                                                                \
    PLAIN_CASE(type, FL_COMM_XOR, ^)

PLAIN_FUNCTION(plain_u8, uint8_t, PLAIN_BITS(uint8_t))
PLAIN_FUNCTION(plain_u16, uint16_t, PLAIN_BITS(uint16_t))
PLAIN_FUNCTION(plain_u32, uint32_t, PLAIN_BITS(uint32_t))
PLAIN_FUNCTION(plain_u64, uint64_t, PLAIN_BITS(uint64_t))
PLAIN_FUNCTION(plain_f32, float, )
PLAIN_FUNCTION(plain_f64, double, )

FUNCTION(on_u8, uint8_t, uint32_t, INTEGER_CASES(uint8_t))
FUNCTION(on_u16, uint16_t, uint32_t, INTEGER_CASES(uint16_t))
FUNCTION(on_i32, int32_t, uint32_t, INTEGER_CASES(int32_t))
FUNCTION(on_u32, uint32_t, uint32_t, INTEGER_CASES(uint32_t))
FUNCTION(on_i64, int64_t, uint64_t, INTEGER_CASES(int64_t))
FUNCTION(on_u64, uint64_t, uint64_t, INTEGER_CASES(uint64_t))
FUNCTION(on_f32, float, float, FLOAT_CASES(float))
FUNCTION(on_f64, double, double, FLOAT_CASES(double))

static const struct {
    uint64_t (*run)(enum fl_comm_atomic what, void *word, uint64_t bits);
    void (*run_plain)(enum fl_comm_atomic what, void *words, const void *operands, size_t bytes);
    bool has_bits;
} types[] = {
    [FL_COMM_I32] = {on_i32, plain_u32, true},  [FL_COMM_U32] = {on_u32, plain_u32, true},
    [FL_COMM_I64] = {on_i64, plain_u64, true},  [FL_COMM_U64] = {on_u64, plain_u64, true},
    [FL_COMM_F32] = {on_f32, plain_f32, false}, [FL_COMM_F64] = {on_f64, plain_f64, false},
    [FL_COMM_U8] = {on_u8, plain_u8, true},     [FL_COMM_U16] = {on_u16, plain_u16, true},
};
enum { N_TYPES = sizeof types / sizeof types[0] };
_Static_assert(N_TYPES == 8 && FL_COMM_NAND < 16, "an update's code has eight bits");

#define SWAP_CASE(type)                                                                            \
    case sizeof(type): {                                                                           \
        type old = (type)a;                                                                        \
        __atomic_compare_exchange_n((type *)word, &old, (type)b, false, ORDER, ORDER);             \
        return old;                                                                                \
    }

static uint64_t swap_if_equal(void *word, size_t bytes, uint64_t a, uint64_t b) {
    switch (bytes) {
        SWAP_CASE(uint8_t)
        SWAP_CASE(uint16_t)
        SWAP_CASE(uint32_t)
    default:
        __atomic_compare_exchange_n((uint64_t *)word, &a, b, false, ORDER, ORDER);
        return a;
    }
}

static uint64_t run(enum fl_comm_atomic what, enum fl_comm_type type, void *word, uint64_t a,
                    uint64_t b) {
    return what == FL_COMM_CAS ? swap_if_equal(word, fl_comm_type_bytes(type), a, b)
                               : types[type].run(what, word, a);
}

void fl_comm_atomic_nb(enum fl_comm_atomic what, enum fl_comm_type type, uint64_t address,
                       uint64_t a, uint64_t b, uint64_t *old, struct fl_comm_op *op) {
    if (FL_LIKELY(fl_comm_is_here(address))) {
        uint64_t value = run(what, type, (void *)(uintptr_t)address, a, b);
        if (old) {
            *old = value;
        }
        return;
    }
    fl_read_cache_write(address, NULL, fl_comm_type_bytes(type));
    unsigned proc = fl_comm_proc_of(address);
    uint32_t charge = fl_comm_cost(0);
    fl_comm_enter_in_order(proc, charge);
    struct fl_comm_request *request = fl_comm_request_new(proc, FL_COMM_KIND_ATOMIC, charge, op);
    request->to = old;
    struct fl_comm_message m = {.kind = FL_COMM_KIND_ATOMIC,
                                .n_words = 3,
                                .what = (uint8_t)what,
                                .type = (uint8_t)type,
                                .cookie = fl_comm_cookie(request),
                                .words = {address, a, b}};
    fl_comm_send(proc, &m, NULL, 0, false);
    fl_comm_leave();
}

uint64_t fl_comm_atomic(enum fl_comm_atomic what, enum fl_comm_type type, uint64_t address,
                        uint64_t a, uint64_t b) {
    uint64_t old;
    struct fl_comm_op op = {0};
    fl_comm_atomic_nb(what, type, address, a, b, &old, &op);
    fl_comm_wait(&op);
    fl_read_cache_drop();
    return old;
}

/* ---- updates ---- */

void fl_comm_update_here(enum fl_comm_atomic what, enum fl_comm_type type, void *to,
                         uint64_t operand) {
    types[type].run_plain(what, to, &operand, fl_comm_type_bytes(type));
}

static bool is_update(enum fl_comm_update how, enum fl_comm_atomic what, enum fl_comm_type type) {
    bool exists = how == FL_COMM_PLAIN
                      ? fl_comm_is_plain(what)
                      : what != FL_COMM_GET && what != FL_COMM_CAS && what <= FL_COMM_NAND;
    return exists && (what < FL_COMM_AND || types[type].has_bits);
}

void fl_comm_apply(const struct fl_comm_message *m, unsigned code, void *to, const void *operands,
                   size_t bytes) {
    enum fl_comm_update how = (enum fl_comm_update)(code >> 7);
    enum fl_comm_atomic what = (enum fl_comm_atomic)(code >> 3 & 15);
    enum fl_comm_type type = (enum fl_comm_type)(code & 7);
    size_t size = fl_comm_type_bytes(type);
    size_t beyond = size - 1; /* a mask: a division costs more than the rest */
    if (FL_UNLIKELY(!is_update(how, what, type) || (bytes & beyond) != 0)) {
        fl_comm_bad(m, "an update that does not exist");
    }
    if (FL_UNLIKELY(how != FL_COMM_PLAIN && ((uintptr_t)to & beyond) != 0)) {
        fl_comm_bad(m, "an atomic update of no aligned word");
    }
    if (how == FL_COMM_PLAIN) {
        types[type].run_plain(what, to, operands, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += size) {
        uint64_t bits = 0;
        fl_comm_copy_small(&bits, (const char *)operands + at, size);
        types[type].run(what, (char *)to + at, bits);
    }
}

void fl_comm_serve_atomic(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    if (m->type >= N_TYPES || m->what > FL_COMM_NAND ||
        (m->what >= FL_COMM_AND && !types[m->type].has_bits) ||
        m->words[0] % fl_comm_type_bytes((enum fl_comm_type)m->type) != 0) {
        fl_comm_bad(m, "an atomic operation that does not exist, or on no aligned word");
    }
    void *word = fl_comm_checked(m, m->words[0], fl_comm_type_bytes((enum fl_comm_type)m->type));
    struct fl_comm_message value = {
        .kind = FL_COMM_KIND_VALUE,
        .n_words = 1,
        .cookie = m->cookie,
        .words = {run((enum fl_comm_atomic)m->what, (enum fl_comm_type)m->type, word, m->words[1],
                      m->words[2])}};
    fl_comm_send(m->from, &value, NULL, 0, false);
}

void fl_comm_serve_value(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    struct fl_comm_request *request = fl_comm_request_of(m, FL_COMM_KIND_ATOMIC);
    if (request->to) {
        *(uint64_t *)request->to = m->words[0];
    }
    fl_comm_request_end(request);
}
