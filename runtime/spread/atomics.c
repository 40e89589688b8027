/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations and fences of programs over several hosts. `ompcc` has the compiler call these
 * (-fno-inline-atomics), by the names that libatomic gives them. On coherent memory an operation is
 * performed under a lock of coherent memory, which its address chooses: all of them are then
 * sequentially consistent. Elsewhere the CPU does it.
 */
#include "spread/inside.h"

#include <string.h>

/* Taken for one operation, during which no other lock is asked for. */
static unsigned lock_of(const volatile void *address) {
    enum { LOCKS = FL_SPREAD_LOCK_FIRST - FL_SPREAD_LOCK_ATOMICS };
    return FL_SPREAD_LOCK_ATOMICS + (unsigned)(((uintptr_t)address >> 3) % LOCKS);
}

static bool begin(const volatile void *address) {
    bool coherent = fl_spread_is_coherent((const void *)address);
    if (coherent) {
        fl_dsm_acquire(lock_of(address));
    }
    return coherent;
}

static void end(const volatile void *address) {
    fl_dsm_release(lock_of(address));
}

/* The compiler knows the names as builtins, whose types differ: so these have others. */
#define AS(name) __asm__(#name)

#define ACCESSES(n, type)                                                                          \
    FL_EXPORT type fl_atomic_load_##n(const volatile type *p, int order) AS(__atomic_load_##n);    \
    FL_EXPORT type fl_atomic_load_##n(const volatile type *p, int order) {                         \
        (void)order;                                                                               \
        bool coherent = begin(p);                                                                  \
        type value = coherent ? *p : __atomic_load_n(p, __ATOMIC_SEQ_CST);                         \
        if (coherent) {                                                                            \
            end(p);                                                                                \
        }                                                                                          \
        return value;                                                                              \
    }                                                                                              \
    FL_EXPORT void fl_atomic_store_##n(volatile type *p, type value, int order)                    \
        AS(__atomic_store_##n);                                                                    \
    FL_EXPORT void fl_atomic_store_##n(volatile type *p, type value, int order) {                  \
        (void)order;                                                                               \
        if (begin(p)) {                                                                            \
            *p = value;                                                                            \
            end(p);                                                                                \
        } else {                                                                                   \
            __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                          \
        }                                                                                          \
    }                                                                                              \
    FL_EXPORT type fl_atomic_exchange_##n(volatile type *p, type value, int order)                 \
        AS(__atomic_exchange_##n);                                                                 \
    FL_EXPORT type fl_atomic_exchange_##n(volatile type *p, type value, int order) {               \
        (void)order;                                                                               \
        if (!begin(p)) {                                                                           \
            return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                \
        }                                                                                          \
        type old = *p;                                                                             \
        *p = value;                                                                                \
        end(p);                                                                                    \
        return old;                                                                                \
    }                                                                                              \
    FL_EXPORT bool fl_atomic_compare_exchange_##n(volatile type *p, type *expected, type value,    \
                                                  int order, int failed)                           \
        AS(__atomic_compare_exchange_##n);                                                         \
    FL_EXPORT bool fl_atomic_compare_exchange_##n(volatile type *p, type *expected, type value,    \
                                                  int order, int failed) {                         \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        if (!begin(p)) {                                                                           \
            return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,        \
                                               __ATOMIC_SEQ_CST);                                  \
        }                                                                                          \
        type old = *p;                                                                             \
        bool same = old == *expected;                                                              \
        if (same) {                                                                                \
            *p = value;                                                                            \
        }                                                                                          \
        end(p);                                                                                    \
        if (!same) {                                                                               \
            *expected = old;                                                                       \
        }                                                                                          \
        return same;                                                                               \
    }

/* The one returns the old value, the other the new one. */
#define UPDATE(n, type, what, expression)                                                          \
    FL_EXPORT type fl_atomic_fetch_##what##_##n(volatile type *p, type value, int order)           \
        AS(__atomic_fetch_##what##_##n);                                                           \
    FL_EXPORT type fl_atomic_fetch_##what##_##n(volatile type *p, type value, int order) {         \
        (void)order;                                                                               \
        if (!begin(p)) {                                                                           \
            return __atomic_fetch_##what(p, value, __ATOMIC_SEQ_CST);                              \
        }                                                                                          \
        type old = *p;                                                                             \
        *p = (type)(expression);                                                                   \
        end(p);                                                                                    \
        return old;                                                                                \
    }                                                                                              \
    FL_EXPORT type fl_atomic_##what##_fetch_##n(volatile type *p, type value, int order)           \
        AS(__atomic_##what##_fetch_##n);                                                           \
    FL_EXPORT type fl_atomic_##what##_fetch_##n(volatile type *p, type value, int order) {         \
        type old = fl_atomic_fetch_##what##_##n(p, value, order);                                  \
        return (type)(expression);                                                                 \
    }

#define UPDATES(n, type)                                                                           \
    UPDATE(n, type, add, old + value)                                                              \
    UPDATE(n, type, sub, old - value)                                                              \
    UPDATE(n, type, and, old & value)                                                              \
    UPDATE(n, type, or, old | value)                                                               \
    UPDATE(n, type, xor, old ^ value)                                                              \
    UPDATE(n, type, nand, ~(old & value))

ACCESSES(1, uint8_t)
ACCESSES(2, uint16_t)
ACCESSES(4, uint32_t)
ACCESSES(8, uint64_t)
UPDATES(1, uint8_t)
UPDATES(2, uint16_t)
UPDATES(4, uint32_t)
UPDATES(8, uint64_t)

/* ---- of any size ---- */

/* Objects that are not coherent: under one lock of this host. */
static struct fl_mutex private_objects;

static bool begin_any(const volatile void *address) {
    bool coherent = begin(address);
    if (!coherent) {
        fl_mutex_lock(&private_objects);
    }
    return coherent;
}

static void end_any(const volatile void *address, bool coherent) {
    if (coherent) {
        end(address);
    } else {
        fl_mutex_unlock(&private_objects);
    }
}

FL_EXPORT void fl_atomic_load(size_t n, const void *p, void *to, int order) AS(__atomic_load);
FL_EXPORT void fl_atomic_load(size_t n, const void *p, void *to, int order) {
    (void)order;
    bool coherent = begin_any(p);
    memcpy(to, p, n);
    end_any(p, coherent);
}

FL_EXPORT void fl_atomic_store(size_t n, void *p, const void *from, int order) AS(__atomic_store);
FL_EXPORT void fl_atomic_store(size_t n, void *p, const void *from, int order) {
    (void)order;
    bool coherent = begin_any(p);
    memcpy(p, from, n);
    end_any(p, coherent);
}

FL_EXPORT void fl_atomic_exchange(size_t n, void *p, const void *from, void *old, int order)
    AS(__atomic_exchange);
FL_EXPORT void fl_atomic_exchange(size_t n, void *p, const void *from, void *old, int order) {
    (void)order;
    bool coherent = begin_any(p);
    memcpy(old, p, n);
    memcpy(p, from, n);
    end_any(p, coherent);
}

FL_EXPORT bool fl_atomic_compare_exchange(size_t n, void *p, void *expected, const void *value,
                                          int order, int failed) AS(__atomic_compare_exchange);
FL_EXPORT bool fl_atomic_compare_exchange(size_t n, void *p, void *expected, const void *value,
                                          int order, int failed) {
    (void)order;
    (void)failed;
    bool coherent = begin_any(p);
    bool same = memcmp(p, expected, n) == 0;
    memcpy(same ? p : expected, same ? value : p, n);
    end_any(p, coherent);
    return same;
}

/* libatomic has objects of 16 bytes under names of their own. */
typedef unsigned __int128 uint128;

FL_EXPORT uint128 fl_atomic_load_16(const uint128 *p, int order) AS(__atomic_load_16);
FL_EXPORT uint128 fl_atomic_load_16(const uint128 *p, int order) {
    uint128 value;
    fl_atomic_load(sizeof value, p, &value, order);
    return value;
}

FL_EXPORT void fl_atomic_store_16(uint128 *p, uint128 value, int order) AS(__atomic_store_16);
FL_EXPORT void fl_atomic_store_16(uint128 *p, uint128 value, int order) {
    fl_atomic_store(sizeof value, p, &value, order);
}

FL_EXPORT uint128 fl_atomic_exchange_16(uint128 *p, uint128 value, int order)
    AS(__atomic_exchange_16);
FL_EXPORT uint128 fl_atomic_exchange_16(uint128 *p, uint128 value, int order) {
    uint128 old;
    fl_atomic_exchange(sizeof value, p, &value, &old, order);
    return old;
}

FL_EXPORT bool fl_atomic_compare_exchange_16(uint128 *p, uint128 *expected, uint128 value,
                                             int order, int failed)
    AS(__atomic_compare_exchange_16);
FL_EXPORT bool fl_atomic_compare_exchange_16(uint128 *p, uint128 *expected, uint128 value,
                                             int order, int failed) {
    return fl_atomic_compare_exchange(sizeof value, p, expected, &value, order, failed);
}

/* What was there before, and what is there then. */
#define UPDATE_16(what, expression)                                                                \
    FL_EXPORT uint128 fl_atomic_fetch_##what##_16(uint128 *p, uint128 value, int order)            \
        AS(__atomic_fetch_##what##_16);                                                            \
    FL_EXPORT uint128 fl_atomic_fetch_##what##_16(uint128 *p, uint128 value, int order) {          \
        (void)order;                                                                               \
        bool coherent = begin_any(p);                                                              \
        uint128 old = *p;                                                                          \
        *p = (expression);                                                                         \
        end_any(p, coherent);                                                                      \
        return old;                                                                                \
    }                                                                                              \
    FL_EXPORT uint128 fl_atomic_##what##_fetch_16(uint128 *p, uint128 value, int order)            \
        AS(__atomic_##what##_fetch_16);                                                            \
    FL_EXPORT uint128 fl_atomic_##what##_fetch_16(uint128 *p, uint128 value, int order) {          \
        uint128 old = fl_atomic_fetch_##what##_16(p, value, order);                                \
        return (expression);                                                                       \
    }

UPDATE_16(add, old + value)
UPDATE_16(sub, old - value)
UPDATE_16(and, old & value)
UPDATE_16(or, old | value)
UPDATE_16(xor, old ^ value)
UPDATE_16(nand, ~(old & value))

/* ---- fences ---- */

void fl_spread_fence(void);
void fl_spread_fence(void) {
    if (fl_spread_together()) {
        fl_dsm_fence();
    } else {
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/* What `ompcc` has put in the place of an instruction: all registers are the caller's still. */
__asm__(".text\n"
        ".globl fl_omp_fence\n"
        ".type fl_omp_fence, @function\n"
        "fl_omp_fence:\n"
        "    pushfq\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    push %rax\n"
        "    push %rbx\n"
        "    push %rcx\n"
        "    push %rdx\n"
        "    push %rsi\n"
        "    push %rdi\n"
        "    push %r8\n"
        "    push %r9\n"
        "    push %r10\n"
        "    push %r11\n"
        "    xor %ecx, %ecx\n"
        "    mov $13, %eax\n" /* CPUID leaf 13: ebx is the size of what xsave saves */
        "    cpuid\n"
        "    mov %rsp, %rsi\n"
        "    sub %rbx, %rsp\n"
        "    and $-64, %rsp\n"
        "    mov %rsp, %rdi\n"
        "    xor %eax, %eax\n"
        "    mov $64, %ecx\n" /* the area's header: zeros */
        "    lea 512(%rsp), %rdi\n"
        "    cld\n"
        "    rep stosb\n"
        "    mov $-1, %eax\n"
        "    mov $-1, %edx\n"
        "    xsave64 (%rsp)\n"
        "    mov %rsi, %rbx\n"
        "    call fl_spread_fence\n"
        "    mov $-1, %eax\n"
        "    mov $-1, %edx\n"
        "    xrstor64 (%rsp)\n"
        "    mov %rbx, %rsp\n"
        "    pop %r11\n"
        "    pop %r10\n"
        "    pop %r9\n"
        "    pop %r8\n"
        "    pop %rdi\n"
        "    pop %rsi\n"
        "    pop %rdx\n"
        "    pop %rcx\n"
        "    pop %rbx\n"
        "    pop %rax\n"
        "    pop %rbp\n"
        "    popfq\n"
        "    ret\n"
        ".size fl_omp_fence, . - fl_omp_fence\n");
