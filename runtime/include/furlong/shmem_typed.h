/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of <shmem.h> with a type in their names, generated from OpenSHMEM's tables of types
 * (1.5, tables 3 to 10). Part of <shmem.h>.
 */
#ifndef FURLONG_SHMEM_TYPED_H
#define FURLONG_SHMEM_TYPED_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- tables: the type's name in functions, and the type ---- */

#define FURLONG_SHMEM_INTEGERS(X)                                                                  \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)
#define FURLONG_SHMEM_FLOATING(X) X(float, float) X(double, double)
/* The distinct types of C: a selection by type may list no type twice. */
#define FURLONG_SHMEM_C_TYPES(X)                                                                   \
    FURLONG_SHMEM_INTEGERS(X)                                                                      \
    FURLONG_SHMEM_FLOATING(X)                                                                      \
    X(longdouble, long double)                                                                     \
    X(char, char)                                                                                  \
    X(schar, signed char)                                                                          \
    X(short, short)                                                                                \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)
#define FURLONG_SHMEM_OWN_NAMES(X)                                                                 \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)
#define FURLONG_SHMEM_SIZES(X) X(size, size_t) X(ptrdiff, ptrdiff_t)
#define FURLONG_SHMEM_RMA(X)                                                                       \
    FURLONG_SHMEM_C_TYPES(X)                                                                       \
    FURLONG_SHMEM_OWN_NAMES(X)                                                                     \
    FURLONG_SHMEM_SIZES(X)                                                                         \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)
#define FURLONG_SHMEM_ATOMIC(X)                                                                    \
    FURLONG_SHMEM_INTEGERS(X) FURLONG_SHMEM_OWN_NAMES(X) FURLONG_SHMEM_SIZES(X)
#define FURLONG_SHMEM_BITS(X)                                                                      \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    FURLONG_SHMEM_OWN_NAMES(X)
#define FURLONG_SHMEM_WAITED(X)                                                                    \
    FURLONG_SHMEM_ATOMIC(X)                                                                        \
    X(short, short)                                                                                \
    X(ushort, unsigned short)
#define FURLONG_SHMEM_REDUCED_BITS(X)                                                              \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    FURLONG_SHMEM_OWN_NAMES(X)                                                                     \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)                                                                            \
    X(size, size_t)

/* ---- put and get ---- */

#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_p(shmem_ctx_t ctx, T *dest, T value, int pe) {            \
        shmem_ctx_putmem_nbi(ctx, dest, &value, sizeof value, pe);                                 \
    }                                                                                              \
    FURLONG_CALL T shmem_ctx_##NAME##_g(shmem_ctx_t ctx, const T *source, int pe) {                \
        pe = furlong_shmem_pe(ctx, pe);                                                            \
        const T *from = (const T *)furlong_shmem_here(source, pe);                                 \
        T value;                                                                                   \
        if (__builtin_expect(from != NULL, 1)) {                                                   \
            return *from; /* `value`, whose address is known elsewhere, would be in memory */      \
        }                                                                                          \
        furlong_shmem_get_far(&value, source, sizeof value, pe);                                   \
        return value;                                                                              \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_p(T *dest, T value, int pe) {                                 \
        shmem_ctx_##NAME##_p(SHMEM_CTX_DEFAULT, dest, value, pe);                                  \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_g(const T *source, int pe) {                                     \
        return shmem_ctx_##NAME##_g(SHMEM_CTX_DEFAULT, source, pe);                                \
    }
FURLONG_SHMEM_RMA(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE

/* `name` follows shmem_ and shmem_ctx_, for example `int_put` and `put32`. */
#define FURLONG_SHMEM_BLOCKS(PUT, GET, PUT_NBI, GET_NBI, IPUT, IGET, PUT_SIGNAL, PUT_SIGNAL_NBI, T, \
                             EACH)                                                                 \
    FURLONG_CALL void shmem_ctx_##PUT(shmem_ctx_t ctx, T *dest, const T *source, size_t n,         \
                                      int pe) {                                                    \
        shmem_ctx_putmem(ctx, dest, source, n * (EACH), pe);                                       \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##GET(shmem_ctx_t ctx, T *dest, const T *source, size_t n,         \
                                      int pe) {                                                    \
        shmem_ctx_getmem(ctx, dest, source, n * (EACH), pe);                                       \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##PUT_NBI(shmem_ctx_t ctx, T *dest, const T *source, size_t n,     \
                                          int pe) {                                                \
        shmem_ctx_putmem_nbi(ctx, dest, source, n * (EACH), pe);                                   \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##GET_NBI(shmem_ctx_t ctx, T *dest, const T *source, size_t n,     \
                                          int pe) {                                                \
        shmem_ctx_getmem_nbi(ctx, dest, source, n * (EACH), pe);                                   \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##IPUT(shmem_ctx_t ctx, T *dest, const T *source,                  \
                                       ptrdiff_t to_stride, ptrdiff_t from_stride, size_t n,       \
                                       int pe) {                                                   \
        furlong_shmem_strided_put(dest, source, to_stride, from_stride, EACH, n,                   \
                                  furlong_shmem_pe(ctx, pe));                                      \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##IGET(shmem_ctx_t ctx, T *dest, const T *source,                  \
                                       ptrdiff_t to_stride, ptrdiff_t from_stride, size_t n,       \
                                       int pe) {                                                   \
        furlong_shmem_strided_get(dest, source, to_stride, from_stride, EACH, n,                   \
                                  furlong_shmem_pe(ctx, pe));                                      \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##PUT_SIGNAL(shmem_ctx_t ctx, T *dest, const T *source, size_t n,  \
                                             uint64_t *signal_at, uint64_t signal, int op,         \
                                             int pe) {                                             \
        shmem_ctx_putmem_signal(ctx, dest, source, n * (EACH), signal_at, signal, op, pe);         \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##PUT_SIGNAL_NBI(shmem_ctx_t ctx, T *dest, const T *source,        \
                                                 size_t n, uint64_t *signal_at, uint64_t signal,   \
                                                 int op, int pe) {                                 \
        shmem_ctx_putmem_signal_nbi(ctx, dest, source, n * (EACH), signal_at, signal, op, pe);     \
    }                                                                                              \
    FURLONG_CALL void shmem_##PUT(T *dest, const T *source, size_t n, int pe) {                    \
        shmem_putmem(dest, source, n * (EACH), pe);                                                \
    }                                                                                              \
    FURLONG_CALL void shmem_##GET(T *dest, const T *source, size_t n, int pe) {                    \
        shmem_getmem(dest, source, n * (EACH), pe);                                                \
    }                                                                                              \
    FURLONG_CALL void shmem_##PUT_NBI(T *dest, const T *source, size_t n, int pe) {                \
        shmem_putmem_nbi(dest, source, n * (EACH), pe);                                            \
    }                                                                                              \
    FURLONG_CALL void shmem_##GET_NBI(T *dest, const T *source, size_t n, int pe) {                \
        shmem_getmem_nbi(dest, source, n * (EACH), pe);                                            \
    }                                                                                              \
    FURLONG_CALL void shmem_##IPUT(T *dest, const T *source, ptrdiff_t to_stride,                  \
                                   ptrdiff_t from_stride, size_t n, int pe) {                      \
        furlong_shmem_strided_put(dest, source, to_stride, from_stride, EACH, n, pe);              \
    }                                                                                              \
    FURLONG_CALL void shmem_##IGET(T *dest, const T *source, ptrdiff_t to_stride,                  \
                                   ptrdiff_t from_stride, size_t n, int pe) {                      \
        furlong_shmem_strided_get(dest, source, to_stride, from_stride, EACH, n, pe);              \
    }                                                                                              \
    FURLONG_CALL void shmem_##PUT_SIGNAL(T *dest, const T *source, size_t n, uint64_t *signal_at,  \
                                         uint64_t signal, int op, int pe) {                        \
        shmem_putmem_signal(dest, source, n * (EACH), signal_at, signal, op, pe);                  \
    }                                                                                              \
    FURLONG_CALL void shmem_##PUT_SIGNAL_NBI(T *dest, const T *source, size_t n,                   \
                                             uint64_t *signal_at, uint64_t signal, int op,         \
                                             int pe) {                                             \
        shmem_putmem_signal_nbi(dest, source, n * (EACH), signal_at, signal, op, pe);              \
    }
#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_SHMEM_BLOCKS(NAME##_put, NAME##_get, NAME##_put_nbi, NAME##_get_nbi, NAME##_iput,      \
                         NAME##_iget, NAME##_put_signal, NAME##_put_signal_nbi, T, sizeof(T))
FURLONG_SHMEM_RMA(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE
#define FURLONG_SHMEM_DEFINE(BITS)                                                                 \
    FURLONG_SHMEM_BLOCKS(put##BITS, get##BITS, put##BITS##_nbi, get##BITS##_nbi, iput##BITS,       \
                         iget##BITS, put##BITS##_signal, put##BITS##_signal_nbi, void, BITS / 8)
FURLONG_SHMEM_DEFINE(8)
FURLONG_SHMEM_DEFINE(16)
FURLONG_SHMEM_DEFINE(32)
FURLONG_SHMEM_DEFINE(64)
FURLONG_SHMEM_DEFINE(128)
#undef FURLONG_SHMEM_DEFINE
#undef FURLONG_SHMEM_BLOCKS

/* ---- atomic operations ---- */

/* Operations on integers, inline if the PE is on this host, else by a CPU of the PE's host.
 * Sequentially consistent. */
#define FURLONG_SHMEM_FETCH_OP(NAME, T, OP, BUILTIN, CODE)                                         \
    FURLONG_CALL T shmem_ctx_##NAME##_atomic_fetch_##OP(shmem_ctx_t ctx, T *dest, T value,         \
                                                        int pe) {                                  \
        pe = furlong_shmem_pe(ctx, pe);                                                            \
        T *at = (T *)furlong_shmem_here(dest, pe);                                                 \
        if (__builtin_expect(at != NULL, 1)) {                                                     \
            return BUILTIN(at, value, __ATOMIC_SEQ_CST);                                           \
        }                                                                                          \
        return (T)furlong_shmem_atomic_far(dest, pe, CODE, sizeof(T), (uint64_t)value, 0);         \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_atomic_fetch_##OP(T *dest, T value, int pe) {                    \
        return shmem_ctx_##NAME##_atomic_fetch_##OP(SHMEM_CTX_DEFAULT, dest, value, pe);           \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_##OP(shmem_ctx_t ctx, T *dest, T value, int pe) {  \
        (void)shmem_ctx_##NAME##_atomic_fetch_##OP(ctx, dest, value, pe);                          \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_##OP(T *dest, T value, int pe) {                       \
        (void)shmem_ctx_##NAME##_atomic_fetch_##OP(SHMEM_CTX_DEFAULT, dest, value, pe);            \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_fetch_##OP##_nbi(shmem_ctx_t ctx, T *fetch,        \
                                                                 T *dest, T value, int pe) {       \
        *fetch = shmem_ctx_##NAME##_atomic_fetch_##OP(ctx, dest, value, pe);                       \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_fetch_##OP##_nbi(T *fetch, T *dest, T value,           \
                                                             int pe) {                             \
        *fetch = shmem_ctx_##NAME##_atomic_fetch_##OP(SHMEM_CTX_DEFAULT, dest, value, pe);         \
    }

/* fetch, set and swap, on the bits of any value. */
#define FURLONG_SHMEM_EXCHANGES(NAME, T, BITS_T)                                                   \
    FURLONG_CALL T shmem_ctx_##NAME##_atomic_swap(shmem_ctx_t ctx, T *dest, T value, int pe) {     \
        pe = furlong_shmem_pe(ctx, pe);                                                            \
        BITS_T *at = (BITS_T *)furlong_shmem_here(dest, pe);                                       \
        BITS_T bits;                                                                               \
        memcpy(&bits, &value, sizeof bits);                                                        \
        if (__builtin_expect(at != NULL, 1)) {                                                     \
            bits = __atomic_exchange_n(at, bits, __ATOMIC_SEQ_CST);                                \
        } else {                                                                                   \
            bits = (BITS_T)furlong_shmem_atomic_far(dest, pe, FURLONG_SHMEM_SWAP, sizeof bits,     \
                                                    (uint64_t)bits, 0);                            \
        }                                                                                          \
        memcpy(&value, &bits, sizeof bits);                                                        \
        return value;                                                                              \
    }                                                                                              \
    FURLONG_CALL T shmem_ctx_##NAME##_atomic_fetch(shmem_ctx_t ctx, const T *source, int pe) {     \
        pe = furlong_shmem_pe(ctx, pe);                                                            \
        BITS_T *at = (BITS_T *)furlong_shmem_here(source, pe);                                     \
        BITS_T bits;                                                                               \
        T value;                                                                                   \
        if (__builtin_expect(at != NULL, 1)) {                                                     \
            bits = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                          \
        } else {                                                                                   \
            bits = (BITS_T)furlong_shmem_atomic_far(source, pe, FURLONG_SHMEM_GET, sizeof bits, 0, \
                                                    0);                                            \
        }                                                                                          \
        memcpy(&value, &bits, sizeof bits);                                                        \
        return value;                                                                              \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_set(shmem_ctx_t ctx, T *dest, T value, int pe) {   \
        pe = furlong_shmem_pe(ctx, pe);                                                            \
        BITS_T *at = (BITS_T *)furlong_shmem_here(dest, pe);                                       \
        BITS_T bits;                                                                               \
        memcpy(&bits, &value, sizeof bits);                                                        \
        if (__builtin_expect(at != NULL, 1)) {                                                     \
            __atomic_store_n(at, bits, __ATOMIC_SEQ_CST);                                          \
        } else {                                                                                   \
            (void)furlong_shmem_atomic_far(dest, pe, FURLONG_SHMEM_SET, sizeof bits,               \
                                           (uint64_t)bits, 0);                                     \
        }                                                                                          \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_atomic_swap(T *dest, T value, int pe) {                          \
        return shmem_ctx_##NAME##_atomic_swap(SHMEM_CTX_DEFAULT, dest, value, pe);                 \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_atomic_fetch(const T *source, int pe) {                          \
        return shmem_ctx_##NAME##_atomic_fetch(SHMEM_CTX_DEFAULT, source, pe);                     \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_set(T *dest, T value, int pe) {                        \
        shmem_ctx_##NAME##_atomic_set(SHMEM_CTX_DEFAULT, dest, value, pe);                         \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_fetch_nbi(shmem_ctx_t ctx, T *fetch,               \
                                                          const T *source, int pe) {               \
        *fetch = shmem_ctx_##NAME##_atomic_fetch(ctx, source, pe);                                 \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_fetch_nbi(T *fetch, const T *source, int pe) {         \
        *fetch = shmem_##NAME##_atomic_fetch(source, pe);                                          \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_swap_nbi(shmem_ctx_t ctx, T *fetch, T *dest,       \
                                                         T value, int pe) {                        \
        *fetch = shmem_ctx_##NAME##_atomic_swap(ctx, dest, value, pe);                             \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_swap_nbi(T *fetch, T *dest, T value, int pe) {         \
        *fetch = shmem_##NAME##_atomic_swap(dest, value, pe);                                      \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_swap(T *dest, T value, int pe) {                                 \
        return shmem_##NAME##_atomic_swap(dest, value, pe);                                        \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_fetch(const T *source, int pe) {                                 \
        return shmem_##NAME##_atomic_fetch(source, pe);                                            \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_set(T *dest, T value, int pe) {                               \
        shmem_##NAME##_atomic_set(dest, value, pe);                                                \
    }

#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_SHMEM_EXCHANGES(NAME, T, T)                                                            \
    FURLONG_SHMEM_FETCH_OP(NAME, T, add, __atomic_fetch_add, FURLONG_SHMEM_ADD)                    \
    FURLONG_CALL T shmem_ctx_##NAME##_atomic_compare_swap(shmem_ctx_t ctx, T *dest, T expected,    \
                                                          T value, int pe) {                       \
        pe = furlong_shmem_pe(ctx, pe);                                                            \
        T *at = (T *)furlong_shmem_here(dest, pe);                                                 \
        if (__builtin_expect(at != NULL, 1)) {                                                     \
            __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_SEQ_CST,                 \
                                        __ATOMIC_SEQ_CST);                                         \
            return expected;                                                                       \
        }                                                                                          \
        return (T)furlong_shmem_atomic_far(dest, pe, FURLONG_SHMEM_CAS, sizeof(T), (uint64_t)value,\
                                           (uint64_t)expected);                                    \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_atomic_compare_swap(T *dest, T expected, T value, int pe) {      \
        return shmem_ctx_##NAME##_atomic_compare_swap(SHMEM_CTX_DEFAULT, dest, expected, value,    \
                                                      pe);                                         \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_compare_swap_nbi(                                  \
        shmem_ctx_t ctx, T *fetch, T *dest, T expected, T value, int pe) {                         \
        *fetch = shmem_ctx_##NAME##_atomic_compare_swap(ctx, dest, expected, value, pe);           \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_compare_swap_nbi(T *fetch, T *dest, T expected,        \
                                                             T value, int pe) {                    \
        *fetch = shmem_##NAME##_atomic_compare_swap(dest, expected, value, pe);                    \
    }                                                                                              \
    FURLONG_CALL T shmem_ctx_##NAME##_atomic_fetch_inc(shmem_ctx_t ctx, T *dest, int pe) {         \
        return shmem_ctx_##NAME##_atomic_fetch_add(ctx, dest, 1, pe);                              \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_atomic_fetch_inc(T *dest, int pe) {                              \
        return shmem_##NAME##_atomic_fetch_add(dest, 1, pe);                                       \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_fetch_inc_nbi(shmem_ctx_t ctx, T *fetch, T *dest,  \
                                                              int pe) {                            \
        *fetch = shmem_ctx_##NAME##_atomic_fetch_add(ctx, dest, 1, pe);                            \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_fetch_inc_nbi(T *fetch, T *dest, int pe) {             \
        *fetch = shmem_##NAME##_atomic_fetch_add(dest, 1, pe);                                     \
    }                                                                                              \
    FURLONG_CALL void shmem_ctx_##NAME##_atomic_inc(shmem_ctx_t ctx, T *dest, int pe) {            \
        (void)shmem_ctx_##NAME##_atomic_fetch_add(ctx, dest, 1, pe);                               \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_atomic_inc(T *dest, int pe) {                                 \
        (void)shmem_##NAME##_atomic_fetch_add(dest, 1, pe);                                        \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_cswap(T *dest, T expected, T value, int pe) {                    \
        return shmem_##NAME##_atomic_compare_swap(dest, expected, value, pe);                      \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_finc(T *dest, int pe) {                                          \
        return shmem_##NAME##_atomic_fetch_add(dest, 1, pe);                                       \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_inc(T *dest, int pe) {                                        \
        (void)shmem_##NAME##_atomic_fetch_add(dest, 1, pe);                                        \
    }                                                                                              \
    FURLONG_CALL T shmem_##NAME##_fadd(T *dest, T value, int pe) {                                 \
        return shmem_##NAME##_atomic_fetch_add(dest, value, pe);                                   \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_add(T *dest, T value, int pe) {                               \
        (void)shmem_##NAME##_atomic_fetch_add(dest, value, pe);                                    \
    }
FURLONG_SHMEM_ATOMIC(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE
FURLONG_SHMEM_EXCHANGES(float, float, uint32_t)
FURLONG_SHMEM_EXCHANGES(double, double, uint64_t)
#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_SHMEM_FETCH_OP(NAME, T, and, __atomic_fetch_and, FURLONG_SHMEM_AND)                    \
    FURLONG_SHMEM_FETCH_OP(NAME, T, or, __atomic_fetch_or, FURLONG_SHMEM_OR)                       \
    FURLONG_SHMEM_FETCH_OP(NAME, T, xor, __atomic_fetch_xor, FURLONG_SHMEM_XOR)
FURLONG_SHMEM_BITS(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE
#undef FURLONG_SHMEM_FETCH_OP
#undef FURLONG_SHMEM_EXCHANGES

/* ---- waiting for values that other PEs write ---- */

/* Parameters are volatile because C++ otherwise refuses older programs, whose variables are. */

#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_CALL int shmem_##NAME##_test(volatile T *variable, int comparison, T value) {          \
        return furlong_shmem_compare(variable, sizeof(T), (T)-1 < (T)1, 1, NULL, NULL, comparison, \
                                     &value, 0, 0, FURLONG_SHMEM_ALL) == 1;                        \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_wait_until(volatile T *variable, int comparison, T value) {   \
        (void)furlong_shmem_compare(variable, sizeof(T), (T)-1 < (T)1, 1, NULL, NULL, comparison,  \
                                    &value, 0, 1, FURLONG_SHMEM_ALL);                              \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_wait(volatile T *variable, T value) {                         \
        shmem_##NAME##_wait_until(variable, SHMEM_CMP_NE, value);                                  \
    }                                                                                              \
    FURLONG_CALL int shmem_##NAME##_test_all(volatile T *variables, size_t n, const int *status,   \
                                             int comparison, T value) {                            \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,          \
                                     comparison, &value, 0, 0, FURLONG_SHMEM_ALL) != SIZE_MAX;     \
    }                                                                                              \
    FURLONG_CALL int shmem_##NAME##_test_all_vector(volatile T *variables, size_t n,               \
                                                    const int *status, int comparison,             \
                                                    T *values) {                                   \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,          \
                                     comparison, values, 1, 0, FURLONG_SHMEM_ALL) != SIZE_MAX;     \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_wait_until_all(volatile T *variables, size_t n,               \
                                                    const int *status, int comparison, T value) {  \
        (void)furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,           \
                                    comparison, &value, 0, 1, FURLONG_SHMEM_ALL);                  \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_wait_until_all_vector(volatile T *variables, size_t n,        \
                                                           const int *status, int comparison,      \
                                                           T *values) {                            \
        (void)furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,           \
                                    comparison, values, 1, 1, FURLONG_SHMEM_ALL);                  \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_test_any(volatile T *variables, size_t n,                   \
                                                const int *status, int comparison, T value) {      \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,          \
                                     comparison, &value, 0, 0, FURLONG_SHMEM_ANY);                 \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_test_any_vector(volatile T *variables, size_t n,            \
                                                       const int *status, int comparison,          \
                                                       T *values) {                                \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,          \
                                     comparison, values, 1, 0, FURLONG_SHMEM_ANY);                 \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_wait_until_any(volatile T *variables, size_t n,             \
                                                      const int *status, int comparison,           \
                                                      T value) {                                   \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,          \
                                     comparison, &value, 0, 1, FURLONG_SHMEM_ANY);                 \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_wait_until_any_vector(volatile T *variables, size_t n,      \
                                                             const int *status, int comparison,    \
                                                             T *values) {                          \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, NULL, status,          \
                                     comparison, values, 1, 1, FURLONG_SHMEM_ANY);                 \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_test_some(volatile T *variables, size_t n,                  \
                                                 size_t *indices, const int *status,               \
                                                 int comparison, T value) {                        \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, indices, status,       \
                                     comparison, &value, 0, 0, FURLONG_SHMEM_SOME);                \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_test_some_vector(volatile T *variables, size_t n,           \
                                                        size_t *indices, const int *status,        \
                                                        int comparison, T *values) {               \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, indices, status,       \
                                     comparison, values, 1, 0, FURLONG_SHMEM_SOME);                \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_wait_until_some(volatile T *variables, size_t n,            \
                                                       size_t *indices, const int *status,         \
                                                       int comparison, T value) {                  \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, indices, status,       \
                                     comparison, &value, 0, 1, FURLONG_SHMEM_SOME);                \
    }                                                                                              \
    FURLONG_CALL size_t shmem_##NAME##_wait_until_some_vector(volatile T *variables, size_t n,     \
                                                              size_t *indices, const int *status,  \
                                                              int comparison, T *values) {         \
        return furlong_shmem_compare(variables, sizeof(T), (T)-1 < (T)1, n, indices, status,       \
                                     comparison, values, 1, 1, FURLONG_SHMEM_SOME);                \
    }
FURLONG_SHMEM_WAITED(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE
FURLONG_CALL void shmem_wait(volatile long *variable, long value) {
    shmem_long_wait(variable, value);
}
FURLONG_CALL void shmem_wait_until(volatile long *variable, int comparison, long value) {
    shmem_long_wait_until(variable, comparison, value);
}

/* ---- collective operations ---- */

#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_CALL int shmem_##NAME##_broadcast(shmem_team_t team, T *dest, const T *source,         \
                                              size_t n, int root) {                                \
        return shmem_broadcastmem(team, dest, source, n * sizeof(T), root);                        \
    }                                                                                              \
    FURLONG_CALL int shmem_##NAME##_collect(shmem_team_t team, T *dest, const T *source,           \
                                            size_t n) {                                            \
        return shmem_collectmem(team, dest, source, n * sizeof(T));                                \
    }                                                                                              \
    FURLONG_CALL int shmem_##NAME##_fcollect(shmem_team_t team, T *dest, const T *source,          \
                                             size_t n) {                                           \
        return shmem_fcollectmem(team, dest, source, n * sizeof(T));                               \
    }                                                                                              \
    FURLONG_CALL int shmem_##NAME##_alltoall(shmem_team_t team, T *dest, const T *source,          \
                                             size_t n) {                                           \
        return shmem_alltoallmem(team, dest, source, n * sizeof(T));                               \
    }                                                                                              \
    FURLONG_CALL int shmem_##NAME##_alltoalls(shmem_team_t team, T *dest, const T *source,         \
                                              ptrdiff_t to_stride, ptrdiff_t from_stride,          \
                                              size_t n) {                                          \
        return furlong_shmem_alltoalls(team, dest, source, to_stride, from_stride, sizeof(T), n);  \
    }
FURLONG_SHMEM_RMA(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE

/* One function for a team and one for an active set. Both pass the operator to the runtime. */
#define FURLONG_SHMEM_REDUCTION(NAME, T, OP)                                                       \
    furlong_shmem_combiner furlong_shmem_##NAME##_##OP;                                            \
    FURLONG_CALL int shmem_##NAME##_##OP##_reduce(shmem_team_t team, T *dest, const T *source,     \
                                                  size_t n) {                                      \
        return furlong_shmem_reduce(team, dest, source, sizeof(T), n,                              \
                                    furlong_shmem_##NAME##_##OP);                                  \
    }                                                                                              \
    FURLONG_CALL void shmem_##NAME##_##OP##_to_all(T *dest, const T *source, int n, int start,     \
                                                   int log_stride, int size, T *room,              \
                                                   long *work) {                                   \
        (void)room;                                                                                \
        furlong_shmem_reduce_set(dest, source, sizeof(T), n, start, log_stride, size, work,        \
                                 furlong_shmem_##NAME##_##OP);                                     \
    }
#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_SHMEM_REDUCTION(NAME, T, min)                                                          \
    FURLONG_SHMEM_REDUCTION(NAME, T, max)                                                          \
    FURLONG_SHMEM_REDUCTION(NAME, T, sum)                                                          \
    FURLONG_SHMEM_REDUCTION(NAME, T, prod)
FURLONG_SHMEM_RMA(FURLONG_SHMEM_DEFINE)
#undef FURLONG_SHMEM_DEFINE
#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_SHMEM_REDUCTION(NAME, T, and)                                                          \
    FURLONG_SHMEM_REDUCTION(NAME, T, or)                                                           \
    FURLONG_SHMEM_REDUCTION(NAME, T, xor)
FURLONG_SHMEM_REDUCED_BITS(FURLONG_SHMEM_DEFINE)
/* For active sets only. */
FURLONG_SHMEM_DEFINE(short, short)
FURLONG_SHMEM_DEFINE(int, int)
FURLONG_SHMEM_DEFINE(long, long)
FURLONG_SHMEM_DEFINE(longlong, long long)
#undef FURLONG_SHMEM_DEFINE
/* C++ has these types as extensions of its compilers, with the layout of std::complex. */
__extension__ typedef float _Complex furlong_complexf;
__extension__ typedef double _Complex furlong_complexd;
#define FURLONG_SHMEM_DEFINE(NAME, T)                                                              \
    FURLONG_SHMEM_REDUCTION(NAME, T, sum)                                                          \
    FURLONG_SHMEM_REDUCTION(NAME, T, prod)
FURLONG_SHMEM_DEFINE(complexf, furlong_complexf)
FURLONG_SHMEM_DEFINE(complexd, furlong_complexd)
#undef FURLONG_SHMEM_DEFINE
#undef FURLONG_SHMEM_REDUCTION

FURLONG_CALL void shmem_sync(int start, int log_stride, int size, long *work) {
    furlong_shmem_sync_set(start, log_stride, size, work);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include <furlong/shmem_generic.h>
#endif

#endif
