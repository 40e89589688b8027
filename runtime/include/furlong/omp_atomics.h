/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For ompcc, which includes this before everything else: atomic operations that the compiler would
 * make instructions of in spite of -fno-inline-atomics, in terms of those that it makes calls of.
 */
#ifndef FURLONG_OMP_ATOMICS_H
#define FURLONG_OMP_ATOMICS_H

#ifndef __ASSEMBLER__

#define __sync_fetch_and_add(p, v, ...) __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_sub(p, v, ...) __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_or(p, v, ...) __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_and(p, v, ...) __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_xor(p, v, ...) __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_nand(p, v, ...) __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST)
#define __sync_add_and_fetch(p, v, ...) __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST)
#define __sync_sub_and_fetch(p, v, ...) __atomic_sub_fetch(p, v, __ATOMIC_SEQ_CST)
#define __sync_or_and_fetch(p, v, ...) __atomic_or_fetch(p, v, __ATOMIC_SEQ_CST)
#define __sync_and_and_fetch(p, v, ...) __atomic_and_fetch(p, v, __ATOMIC_SEQ_CST)
#define __sync_xor_and_fetch(p, v, ...) __atomic_xor_fetch(p, v, __ATOMIC_SEQ_CST)
#define __sync_nand_and_fetch(p, v, ...) __atomic_nand_fetch(p, v, __ATOMIC_SEQ_CST)
#define __sync_val_compare_and_swap(p, old, new_value, ...)                                        \
    __extension__({                                                                                \
        __typeof__((*(p)) + 0) furlong_old = (old);                                                \
        __atomic_compare_exchange_n(p, &furlong_old, new_value, 0, __ATOMIC_SEQ_CST,               \
                                    __ATOMIC_SEQ_CST);                                             \
        furlong_old;                                                                               \
    })
#define __sync_bool_compare_and_swap(p, old, new_value, ...)                                       \
    __extension__({                                                                                \
        __typeof__(*(p)) furlong_old = (old);                                                      \
        __atomic_compare_exchange_n(p, &furlong_old, new_value, 0, __ATOMIC_SEQ_CST,               \
                                    __ATOMIC_SEQ_CST);                                             \
    })
#define __sync_lock_test_and_set(p, v, ...) __atomic_exchange_n(p, v, __ATOMIC_ACQUIRE)
#define __sync_lock_release(p, ...) __atomic_store_n(p, 0, __ATOMIC_RELEASE)

/* The flag of <stdatomic.h> and <atomic>: a byte. */
#define __atomic_test_and_set(p, order)                                                            \
    __extension__({ __atomic_exchange_n((volatile unsigned char *)(p), 1, order) != 0; })
#define __atomic_clear(p, order) __atomic_store_n((volatile unsigned char *)(p), 0, order)

/* Weaker fences would be no instruction that the assembler could see. */
#define __atomic_thread_fence(order)                                                               \
    ((order) == __ATOMIC_RELAXED ? (void)0 : __atomic_thread_fence(__ATOMIC_SEQ_CST))

#endif
#endif
