/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations: by this CPU's instructions on this host, by those of the word's host
 * elsewhere. Sequentially consistent, as the order of messages makes them anyway. [S1] pairs [S1]:
 * each with those of other threads; were one weaker, two threads could both miss the other's.
 */
#include "comm/inside.h"

#include <string.h>

enum { ORDER = __ATOMIC_SEQ_CST };

/* *p becomes `next`, an expression of `old` and a, unless another thread was faster. */
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
    case FL_COMM_ADD:                                                                              \
        UPDATE(type, (wide)old + (wide)a);                                                         \
        break;                                                                                     \
    case FL_COMM_SUB:                                                                              \
        UPDATE(type, (wide)old - (wide)a);                                                         \
        break;                                                                                     \
    case FL_COMM_INC:                                                                              \
        UPDATE(type, (wide)old + 1);                                                               \
        break;                                                                                     \
    case FL_COMM_DEC:                                                                              \
        UPDATE(type, (wide)old - 1);                                                               \
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

#define BIT_CASES(type)                                                                            \
    case FL_COMM_AND:                                                                              \
        a = __atomic_fetch_and(p, a, ORDER);                                                       \
        break;                                                                                     \
    case FL_COMM_OR:                                                                               \
        a = __atomic_fetch_or(p, a, ORDER);                                                        \
        break;                                                                                     \
    case FL_COMM_XOR:                                                                              \
        a = __atomic_fetch_xor(p, a, ORDER);                                                       \
        break;                                                                                     \
    case FL_COMM_NAND:                                                                             \
        a = __atomic_fetch_nand(p, a, ORDER);                                                      \
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

FUNCTION(on_u8, uint8_t, uint32_t, BIT_CASES(uint8_t))
FUNCTION(on_u16, uint16_t, uint32_t, BIT_CASES(uint16_t))
FUNCTION(on_i32, int32_t, uint32_t, BIT_CASES(int32_t))
FUNCTION(on_u32, uint32_t, uint32_t, BIT_CASES(uint32_t))
FUNCTION(on_i64, int64_t, uint64_t, BIT_CASES(int64_t))
FUNCTION(on_u64, uint64_t, uint64_t, BIT_CASES(uint64_t))
FUNCTION(on_f32, float, float, )
FUNCTION(on_f64, double, double, )

static const struct {
    uint64_t (*run)(enum fl_comm_atomic what, void *word, uint64_t bits);
    uint8_t bytes;
    bool has_bits;
} types[] = {
    [FL_COMM_I32] = {on_i32, 4, true},  [FL_COMM_U32] = {on_u32, 4, true},
    [FL_COMM_I64] = {on_i64, 8, true},  [FL_COMM_U64] = {on_u64, 8, true},
    [FL_COMM_F32] = {on_f32, 4, false}, [FL_COMM_F64] = {on_f64, 8, false},
    [FL_COMM_U8] = {on_u8, 1, true},    [FL_COMM_U16] = {on_u16, 2, true},
};
enum { N_TYPES = sizeof types / sizeof types[0] };

#define SWAP_CASE(type)                                                                            \
    case sizeof(type): {                                                                           \
        type old = (type)a;                                                                        \
        __atomic_compare_exchange_n((type *)word, &old, (type)b, false, ORDER, ORDER);             \
        return old;                                                                                \
    }

static uint64_t swap_if_equal(void *word, unsigned bytes, uint64_t a, uint64_t b) {
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
    return what == FL_COMM_CAS ? swap_if_equal(word, types[type].bytes, a, b)
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
    fl_read_cache_write(address, NULL, types[type].bytes);
    unsigned proc = fl_comm_proc_of(address);
    uint32_t charge = fl_comm_cost(0);
    fl_comm_enter_with_room(proc, charge);
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

void fl_comm_serve_atomic(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    if (m->type >= N_TYPES || m->what > FL_COMM_NAND ||
        (m->what >= FL_COMM_AND && !types[m->type].has_bits) ||
        m->words[0] % types[m->type].bytes != 0) {
        fl_comm_bad(m, "an atomic operation that does not exist, or on no aligned word");
    }
    void *word = fl_comm_checked(m, m->words[0], types[m->type].bytes);
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
