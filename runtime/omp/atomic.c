/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations out of line: gcc calls these functions under -fno-inline-atomics, and clang
 * under the names of its thread sanitizer. On one host they are the instructions themselves; over
 * several hosts an operation on coherent memory is executed under a lock of all hosts, chosen by
 * its address, or by another host. A program may have been linked with libatomic, whose symbols
 * have versions; so libfurlong-spread.so, which comes first and whose symbols have none, has these
 * functions too. No labels: the program asks for the orders.
 *
 * The interface is that of libatomic: https://gcc.gnu.org/wiki/Atomic/GCCMM/LIbrary
 */
#include <fenv.h>
#include <float.h>
#include "omp/far.h"
#include "platform/machine.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
/* gcc knows functions of these names itself, and with other types. */
#define NAMED(name) __asm__(#name)
/* Begins the function __atomic_NAME. */
#define FUNCTION(type, name, parameters)                                                           \
    EXPORT type fl_##name parameters NAMED(__atomic_##name);                                       \
    type fl_##name parameters

/* The argument `order` also says whether the program uses the result (tools/src/ompcc/results.rs). */
enum { FL_ATOMIC_NO_RESULT = 256, ORDERS = FL_ATOMIC_NO_RESULT - 1 };

static inline bool is_relaxed(int order) {
    return (order & ORDERS) == __ATOMIC_RELAXED;
}

/* Executes `operation`, an instruction or some, atomically for all hosts. */
#define ATOMICALLY(where, order, operation)                                                        \
    struct fl_atomic_op op = {.at = (void *)(where), .relaxed = is_relaxed(order)};                \
    enum fl_omp_far_atomic begun = fl_omp_atomic_begin(&op);                                       \
    operation;                                                                                     \
    fl_omp_atomic_end(begun, &op)

#define LOAD(type, size)                                                                           \
    FUNCTION(type, load_##size, (const type *at, int order)) {                                     \
        ATOMICALLY(at, order, type value = __atomic_load_n(at, __ATOMIC_SEQ_CST));                 \
        return value;                                                                              \
    }

#define STORE(type, size)                                                                          \
    FUNCTION(void, store_##size, (type *at, type value, int order)) {                              \
        ATOMICALLY(at, order, if (order == __ATOMIC_SEQ_CST) {                                     \
            __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                         \
        } else {                                                                                   \
            __atomic_store_n(at, value, __ATOMIC_RELEASE);                                         \
        });                                                                                        \
    }

#define EXCHANGE(type, size)                                                                       \
    FUNCTION(type, exchange_##size, (type *at, type value, int order)) {                           \
        ATOMICALLY(at, order, type old = __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST));        \
        return old;                                                                                \
    }

#define COMPARE_EXCHANGE(type, size)                                                               \
    FUNCTION(bool, compare_exchange_##size,                                                        \
             (type *at, type *expected, type value, int yes, int no)) {                            \
        type old = *expected; /* which may be on a page that has to be fetched: not under the lock */ \
        ATOMICALLY(at, yes | no,                                                                   \
                   bool same = __atomic_compare_exchange_n(at, &old, value, false,                 \
                                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));   \
        if (!same) {                                                                               \
            *expected = old;                                                                       \
        }                                                                                          \
        return same;                                                                               \
    }

/* The value before the operation (fetch_NAME), and after it (NAME_fetch). If the program does not
 * use it, another host may execute the operation, and there is none. */
#define UPDATE_AS(type, size, name, builtin, KIND)                                                 \
    FUNCTION(type, name##_##size, (type *at, type value, int order)) {                             \
        struct fl_atomic_op op = {.at = at,                                                        \
                                  .relaxed = is_relaxed(order),                                    \
                                  .bytes = order & FL_ATOMIC_NO_RESULT ? size : 0,                 \
                                  .kind = FL_ATOMIC_##KIND,                                        \
                                  .value = value};                                                 \
        enum fl_omp_far_atomic begun = fl_omp_atomic_begin(&op);                                   \
        if (begun == FL_OMP_FAR_PERFORMED) {                                                       \
            return 0;                                                                              \
        }                                                                                          \
        type result = builtin(at, value, __ATOMIC_SEQ_CST);                                        \
        fl_omp_atomic_end(begun, &op);                                                             \
        return result;                                                                             \
    }
#define UPDATE(type, size, name, KIND)                                                             \
    UPDATE_AS(type, size, fetch_##name, __atomic_fetch_##name, KIND)                               \
    UPDATE_AS(type, size, name##_fetch, __atomic_##name##_fetch, KIND)

#define ALL(type, size)                                                                            \
    LOAD(type, size)                                                                               \
    STORE(type, size)                                                                              \
    EXCHANGE(type, size)                                                                           \
    COMPARE_EXCHANGE(type, size)                                                                   \
    UPDATE(type, size, add, ADD)                                                                   \
    UPDATE(type, size, sub, SUB)                                                                   \
    UPDATE(type, size, and, AND)                                                                   \
    UPDATE(type, size, or, OR)                                                                     \
    UPDATE(type, size, xor, XOR)                                                                   \
    UPDATE(type, size, nand, NAND)

ALL(uint8_t, 1)
ALL(uint16_t, 2)
ALL(uint32_t, 4)
ALL(uint64_t, 8)

/*
 * Updates for which there is no instruction, in the place of the last call of a loop that compares
 * and exchanges (tools/src/ompcc/updates.rs). The loop ends: it reads what it expected as it was.
 */
#define LOOP_UPDATE(name, KIND, type, size)                                                        \
    EXPORT bool fl_omp_update_##name(type *at, type *expected, type value);                        \
    bool fl_omp_update_##name(type *at, type *expected, type value) {                              \
        (void)expected;                                                                            \
        struct fl_atomic_op op = {                                                                 \
            .at = at, .relaxed = true, .bytes = size, .kind = KIND, .value = value};               \
        enum fl_omp_far_atomic begun = fl_omp_atomic_begin(&op);                                   \
        if (begun == FL_OMP_FAR_PERFORMED) {                                                       \
            return true;                                                                           \
        }                                                                                          \
        type old = __atomic_load_n(at, __ATOMIC_RELAXED);                                          \
        type new;                                                                                  \
        do {                                                                                       \
            new = (type)fl_atomic_updated(KIND, size, old, value);                                 \
        } while (!__atomic_compare_exchange_n(at, &old, new, true, __ATOMIC_RELAXED,               \
                                              __ATOMIC_RELAXED));                                  \
        fl_omp_atomic_end(begun, &op);                                                             \
        return true;                                                                               \
    }
#define FLOAT_UPDATES(name, KIND)                                                                  \
    LOOP_UPDATE(name##ss, FL_ATOMIC_FLOAT_##KIND, uint32_t, 4)                                     \
    LOOP_UPDATE(name##sd, FL_ATOMIC_FLOAT_##KIND, uint64_t, 8)
FLOAT_UPDATES(add, ADD)
FLOAT_UPDATES(sub, SUB)
FLOAT_UPDATES(rsub, RSUB)
FLOAT_UPDATES(mul, MUL)
FLOAT_UPDATES(div, DIV)
FLOAT_UPDATES(rdiv, RDIV)
FLOAT_UPDATES(min, MIN)
FLOAT_UPDATES(rmin, RMIN)
FLOAT_UPDATES(max, MAX)
FLOAT_UPDATES(rmax, RMAX)
LOOP_UPDATE(imull, FL_ATOMIC_MUL, uint32_t, 4)
LOOP_UPDATE(imulq, FL_ATOMIC_MUL, uint64_t, 8)

typedef unsigned __int128 wide;
#define WIDE FL_OS_SWAPS_16_BYTES

static inline WIDE wide swapped(wide *at, wide expected, wide value) {
    return __sync_val_compare_and_swap(at, expected, value);
}

FUNCTION(WIDE wide, load_16, (wide *at, int order)) {
    ATOMICALLY(at, order, wide value = swapped(at, 0, 0));
    return value;
}

FUNCTION(WIDE bool, compare_exchange_16, (wide *at, wide *expected, wide value, int yes, int no)) {
    wide wanted = *expected;
    ATOMICALLY(at, yes | no, wide old = swapped(at, wanted, value));
    *expected = old;
    return old == wanted;
}

/* The new value is made of `old` and `value`. */
#define WIDE_CHANGE(name, new_value)                                                               \
    FUNCTION(WIDE wide, name##_16, (wide *at, wide value, int order)) {                            \
        ATOMICALLY(at, order, wide old = swapped(at, 0, 0);                                        \
                   for (wide seen; (seen = swapped(at, old, new_value)) != old; old = seen));      \
        return old;                                                                                \
    }
#define WIDE_UPDATE(name, new_value)                                                               \
    WIDE_CHANGE(fetch_##name, new_value)                                                           \
    FUNCTION(WIDE wide, name##_fetch_16, (wide *at, wide value, int order)) {                      \
        wide old = fl_fetch_##name##_16(at, value, order);                                         \
        return new_value;                                                                          \
    }
WIDE_CHANGE(exchange, value)
WIDE_UPDATE(add, old + value)
WIDE_UPDATE(sub, old - value)
WIDE_UPDATE(and, old &value)
WIDE_UPDATE(or, old | value)
WIDE_UPDATE(xor, old ^ value)
WIDE_UPDATE(nand, ~(old & value))

FUNCTION(WIDE void, store_16, (wide *at, wide value, int order)) {
    fl_exchange_16(at, value, order);
}

/*
 * Objects of any size. Objects that fit an operation above go to it, as a program may access the
 * same object both ways; the others are guarded by a mutex that the address chooses.
 */
enum { MUTEXES = 64 };
static pthread_mutex_t mutexes[MUTEXES] = {[0 ... MUTEXES - 1] = PTHREAD_MUTEX_INITIALIZER};

static pthread_mutex_t *mutex_of(const volatile void *at) {
    return &mutexes[((uintptr_t)at >> 4) % MUTEXES];
}

static enum fl_omp_far_atomic begin_any(struct fl_atomic_op *op) {
    enum fl_omp_far_atomic begun = fl_omp_atomic_begin(op);
    if (begun == FL_OMP_FAR_PLAIN) {
        pthread_mutex_lock(mutex_of(op->at));
    }
    return begun;
}

static void end_any(enum fl_omp_far_atomic begun, const struct fl_atomic_op *op) {
    fl_omp_atomic_end(begun, op);
    if (begun == FL_OMP_FAR_PLAIN) {
        pthread_mutex_unlock(mutex_of(op->at));
    }
}

static bool is_plain(size_t size, const volatile void *at) {
    return size > 0 && size <= 16 && (size & (size - 1)) == 0 && (uintptr_t)at % size == 0;
}

/* `each(type, size)` for the size that it is. Its callers are WIDE too: clang before 17 inlines the
 * functions for 16 bytes into them. */
#define BY_SIZE(size, each)                                                                        \
    switch (size) {                                                                                \
    case 1: each(uint8_t, 1); break;                                                               \
    case 2: each(uint16_t, 2); break;                                                              \
    case 4: each(uint32_t, 4); break;                                                              \
    case 8: each(uint64_t, 8); break;                                                              \
    default: each(wide, 16); break;                                                                \
    }

FUNCTION(WIDE void, load, (size_t size, void *at, void *to, int order)) {
    if (is_plain(size, at)) {
#define EACH(type, bits)                                                                           \
    {                                                                                              \
        type value = fl_load_##bits(at, order);                                                    \
        memcpy(to, &value, sizeof value);                                                          \
    }
        BY_SIZE(size, EACH)
#undef EACH
        return;
    }
    struct fl_atomic_op op = {.at = at};
    enum fl_omp_far_atomic begun = begin_any(&op);
    memcpy(to, at, size);
    end_any(begun, &op);
}

FUNCTION(WIDE void, exchange, (size_t size, void *at, void *value, void *to, int order)) {
    if (is_plain(size, at)) {
#define EACH(type, bits)                                                                           \
    {                                                                                              \
        type word;                                                                                 \
        memcpy(&word, value, sizeof word);                                                         \
        word = fl_exchange_##bits(at, word, order);                                                \
        memcpy(to, &word, sizeof word);                                                            \
    }
        BY_SIZE(size, EACH)
#undef EACH
        return;
    }
    struct fl_atomic_op op = {.at = at};
    enum fl_omp_far_atomic begun = begin_any(&op);
    for (size_t i = 0; i < size; i++) { /* `value` and `to` may be the same */
        char byte = ((char *)value)[i];
        ((char *)to)[i] = ((char *)at)[i];
        ((char *)at)[i] = byte;
    }
    end_any(begun, &op);
}

FUNCTION(WIDE void, store, (size_t size, void *at, void *value, int order)) {
    if (is_plain(size, at)) {
#define EACH(type, bits)                                                                           \
    {                                                                                              \
        type word;                                                                                 \
        memcpy(&word, value, sizeof word);                                                         \
        fl_store_##bits(at, word, order);                                                          \
    }
        BY_SIZE(size, EACH)
#undef EACH
        return;
    }
    struct fl_atomic_op op = {.at = at};
    enum fl_omp_far_atomic begun = begin_any(&op);
    memcpy(at, value, size);
    end_any(begun, &op);
}

FUNCTION(WIDE bool, compare_exchange,
         (size_t size, void *at, void *expected, void *value, int yes, int no)) {
    bool same = false;
    if (is_plain(size, at)) {
#define EACH(type, bits)                                                                           \
    {                                                                                              \
        type word, old;                                                                            \
        memcpy(&word, value, sizeof word);                                                         \
        memcpy(&old, expected, sizeof old);                                                        \
        same = fl_compare_exchange_##bits(at, &old, word, yes, no);                                \
        memcpy(expected, &old, sizeof old);                                                        \
    }
        BY_SIZE(size, EACH)
#undef EACH
        return same;
    }
    struct fl_atomic_op op = {.at = at};
    enum fl_omp_far_atomic begun = begin_any(&op);
    same = memcmp(at, expected, size) == 0;
    memcpy(same ? at : expected, same ? value : at, size);
    end_any(begun, &op);
    return same;
}

/* Raises the floating-point exceptions of a completed update, by operations that have them. C17
 * 6.5.16.2 hides those of discarded attempts: so gcc clears all, and calls this. The numbers are
 * those of <fenv.h>. */
FUNCTION(void, feraiseexcept, (int exceptions)) {
    volatile float result, zero = 0, one = 1, most = FLT_MAX, least = FLT_MIN;
    if (exceptions & FE_INVALID) {
        result = zero / zero;
    }
    if (exceptions & FE_DIVBYZERO) {
        result = one / zero;
    }
    if (exceptions & FE_OVERFLOW) {
        result = most + most;
    }
    if (exceptions & FE_UNDERFLOW) {
        result = least * least;
    }
    if (exceptions & FE_INEXACT) {
        result = one / 3;
    }
    (void)result;
}

FUNCTION(bool, is_lock_free, (size_t size, const volatile void *at)) {
    return is_plain(size, at);
}

#ifndef __SANITIZE_THREAD__ /* which has them itself */

/*
 * ---- by the names of clang's thread sanitizer: bits instead of bytes, orders numbered alike ----
 *
 * https://clang.llvm.org/docs/ThreadSanitizer.html; compiler-rt's tsan_interface_atomic.h.
 */

#define SAME(type, parameters, tsan, name)                                                         \
    EXPORT type fl_tsan_##tsan parameters NAMED(__tsan_atomic##tsan)                               \
        __attribute__((alias(#name)));

#define TSAN(type, bits, size)                                                                     \
    SAME(type, (const type *at, int order), bits##_load, __atomic_load_##size)                     \
    SAME(void, (type * at, type value, int order), bits##_store, __atomic_store_##size)            \
    SAME(type, (type * at, type value, int order), bits##_exchange, __atomic_exchange_##size)      \
    SAME(type, (type * at, type value, int order), bits##_fetch_add, __atomic_fetch_add_##size)    \
    SAME(type, (type * at, type value, int order), bits##_fetch_sub, __atomic_fetch_sub_##size)    \
    SAME(type, (type * at, type value, int order), bits##_fetch_and, __atomic_fetch_and_##size)    \
    SAME(type, (type * at, type value, int order), bits##_fetch_or, __atomic_fetch_or_##size)      \
    SAME(type, (type * at, type value, int order), bits##_fetch_xor, __atomic_fetch_xor_##size)    \
    SAME(type, (type * at, type value, int order), bits##_fetch_nand, __atomic_fetch_nand_##size)  \
    EXPORT WIDE type fl_tsan_##bits##_cas(type *at, type old, type value, int yes, int no)         \
        NAMED(__tsan_atomic##bits##_compare_exchange_val);                                         \
    type fl_tsan_##bits##_cas(type *at, type old, type value, int yes, int no) {                   \
        fl_compare_exchange_##size(at, &old, value, yes, no);                                      \
        return old;                                                                                \
    }

TSAN(uint8_t, 8, 1)
TSAN(uint16_t, 16, 2)
TSAN(uint32_t, 32, 4)
TSAN(uint64_t, 64, 8)
TSAN(wide, 128, 16)

void fl_omp_fence(void);

EXPORT void fl_tsan_fence(int order) NAMED(__tsan_atomic_thread_fence);
void fl_tsan_fence(int order) {
    if (order != __ATOMIC_RELAXED) {
        fl_omp_fence();
    }
}

EXPORT void fl_tsan_signal_fence(int order) NAMED(__tsan_atomic_signal_fence);
void fl_tsan_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

EXPORT void fl_tsan_init(void) NAMED(__tsan_init);
void fl_tsan_init(void) {
}

#endif
