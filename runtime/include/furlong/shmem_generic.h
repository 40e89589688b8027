/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C11 generic selections among the typed functions of <shmem.h>, by the type that the first
 * argument points to or, after a context or a team, the second. Part of <shmem.h>.
 */
#ifndef FURLONG_SHMEM_GENERIC_H
#define FURLONG_SHMEM_GENERIC_H

/* Selected for a type without a function: a call has too many arguments, so it does not compile. */
void furlong_shmem_has_no_function_for_this_type(void);

#define FURLONG_SHMEM_FIRST(...) FURLONG_SHMEM_FIRST_(__VA_ARGS__, 0)
#define FURLONG_SHMEM_FIRST_(first, ...) first
#define FURLONG_SHMEM_SECOND(...) FURLONG_SHMEM_SECOND_(__VA_ARGS__, 0, 0)
#define FURLONG_SHMEM_SECOND_(first, second, ...) second

#define FURLONG_SHMEM_CASE(PRE, NAME, SUF, T)                                                      \
    T * : PRE##NAME##SUF, const T * : PRE##NAME##SUF, volatile T * : PRE##NAME##SUF

/* For put, get and most collective operations. */
#define FURLONG_SHMEM_OF_RMA(PRE, SUF, pointer)                                                    \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, float, SUF, float),                                                \
        FURLONG_SHMEM_CASE(PRE, double, SUF, double),                                              \
        FURLONG_SHMEM_CASE(PRE, longdouble, SUF, long double),                                     \
        FURLONG_SHMEM_CASE(PRE, char, SUF, char),                                                  \
        FURLONG_SHMEM_CASE(PRE, schar, SUF, signed char),                                          \
        FURLONG_SHMEM_CASE(PRE, short, SUF, short),                                                \
        FURLONG_SHMEM_CASE(PRE, int, SUF, int),                                                    \
        FURLONG_SHMEM_CASE(PRE, long, SUF, long),                                                  \
        FURLONG_SHMEM_CASE(PRE, longlong, SUF, long long),                                         \
        FURLONG_SHMEM_CASE(PRE, uchar, SUF, unsigned char),                                        \
        FURLONG_SHMEM_CASE(PRE, ushort, SUF, unsigned short),                                      \
        FURLONG_SHMEM_CASE(PRE, uint, SUF, unsigned int),                                          \
        FURLONG_SHMEM_CASE(PRE, ulong, SUF, unsigned long),                                        \
        FURLONG_SHMEM_CASE(PRE, ulonglong, SUF, unsigned long long),                               \
        default : furlong_shmem_has_no_function_for_this_type)

/* For sums and products. */
#define FURLONG_SHMEM_OF_SUMMED(PRE, SUF, pointer)                                                 \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, complexf, SUF, float _Complex),                                    \
        FURLONG_SHMEM_CASE(PRE, complexd, SUF, double _Complex),                                   \
        default : FURLONG_SHMEM_OF_RMA(PRE, SUF, pointer))

/* For fetch, set and swap. */
#define FURLONG_SHMEM_OF_EXCHANGED(PRE, SUF, pointer)                                              \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, int, SUF, int),                                                    \
        FURLONG_SHMEM_CASE(PRE, long, SUF, long),                                                  \
        FURLONG_SHMEM_CASE(PRE, longlong, SUF, long long),                                         \
        FURLONG_SHMEM_CASE(PRE, uint, SUF, unsigned int),                                          \
        FURLONG_SHMEM_CASE(PRE, ulong, SUF, unsigned long),                                        \
        FURLONG_SHMEM_CASE(PRE, ulonglong, SUF, unsigned long long),                               \
        FURLONG_SHMEM_CASE(PRE, float, SUF, float),                                                \
        FURLONG_SHMEM_CASE(PRE, double, SUF, double),                                              \
        default : furlong_shmem_has_no_function_for_this_type)

/* For atomic arithmetic. */
#define FURLONG_SHMEM_OF_ATOMIC(PRE, SUF, pointer)                                                 \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, int, SUF, int),                                                    \
        FURLONG_SHMEM_CASE(PRE, long, SUF, long),                                                  \
        FURLONG_SHMEM_CASE(PRE, longlong, SUF, long long),                                         \
        FURLONG_SHMEM_CASE(PRE, uint, SUF, unsigned int),                                          \
        FURLONG_SHMEM_CASE(PRE, ulong, SUF, unsigned long),                                        \
        FURLONG_SHMEM_CASE(PRE, ulonglong, SUF, unsigned long long),                               \
        default : furlong_shmem_has_no_function_for_this_type)

/* For bitwise atomic operations. */
#define FURLONG_SHMEM_OF_BITS(PRE, SUF, pointer)                                                   \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, uint, SUF, unsigned int),                                          \
        FURLONG_SHMEM_CASE(PRE, ulong, SUF, unsigned long),                                        \
        FURLONG_SHMEM_CASE(PRE, ulonglong, SUF, unsigned long long),                               \
        FURLONG_SHMEM_CASE(PRE, int32, SUF, int32_t),                                              \
        FURLONG_SHMEM_CASE(PRE, int64, SUF, int64_t),                                              \
        default : furlong_shmem_has_no_function_for_this_type)

/* For waits and tests. */
#define FURLONG_SHMEM_OF_WAITED(PRE, SUF, pointer)                                                 \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, int, SUF, int),                                                    \
        FURLONG_SHMEM_CASE(PRE, long, SUF, long),                                                  \
        FURLONG_SHMEM_CASE(PRE, longlong, SUF, long long),                                         \
        FURLONG_SHMEM_CASE(PRE, uint, SUF, unsigned int),                                          \
        FURLONG_SHMEM_CASE(PRE, ulong, SUF, unsigned long),                                        \
        FURLONG_SHMEM_CASE(PRE, ulonglong, SUF, unsigned long long),                               \
        FURLONG_SHMEM_CASE(PRE, short, SUF, short),                                                \
        FURLONG_SHMEM_CASE(PRE, ushort, SUF, unsigned short),                                      \
        default : furlong_shmem_has_no_function_for_this_type)

/* For bitwise reductions. */
#define FURLONG_SHMEM_OF_REDUCED_BITS(PRE, SUF, pointer)                                           \
    _Generic((pointer),                                                                            \
        FURLONG_SHMEM_CASE(PRE, uchar, SUF, unsigned char),                                        \
        FURLONG_SHMEM_CASE(PRE, ushort, SUF, unsigned short),                                      \
        FURLONG_SHMEM_CASE(PRE, uint, SUF, unsigned int),                                          \
        FURLONG_SHMEM_CASE(PRE, ulong, SUF, unsigned long),                                        \
        FURLONG_SHMEM_CASE(PRE, ulonglong, SUF, unsigned long long),                               \
        FURLONG_SHMEM_CASE(PRE, int8, SUF, int8_t),                                                \
        FURLONG_SHMEM_CASE(PRE, int16, SUF, int16_t),                                              \
        FURLONG_SHMEM_CASE(PRE, int32, SUF, int32_t),                                              \
        FURLONG_SHMEM_CASE(PRE, int64, SUF, int64_t),                                              \
        default : furlong_shmem_has_no_function_for_this_type)

/* Selects the form with or without a context before the other arguments. */
#define FURLONG_SHMEM_IN_CTX(OF, SUF, ...)                                                         \
    _Generic((FURLONG_SHMEM_FIRST(__VA_ARGS__)),                                                   \
        shmem_ctx_t : OF(shmem_ctx_, SUF, FURLONG_SHMEM_SECOND(__VA_ARGS__)),                      \
        default : OF(shmem_, SUF, FURLONG_SHMEM_FIRST(__VA_ARGS__)))(__VA_ARGS__)
#define FURLONG_SHMEM_IN_TEAM(OF, SUF, ...)                                                        \
    OF(shmem_, SUF, FURLONG_SHMEM_SECOND(__VA_ARGS__))(__VA_ARGS__)
#define FURLONG_SHMEM_PLAIN(OF, SUF, ...)                                                          \
    OF(shmem_, SUF, FURLONG_SHMEM_FIRST(__VA_ARGS__))(__VA_ARGS__)

#define shmem_p(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _p, __VA_ARGS__)
#define shmem_g(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _g, __VA_ARGS__)
#define shmem_put(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _put, __VA_ARGS__)
#define shmem_get(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _get, __VA_ARGS__)
#define shmem_iput(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _iput, __VA_ARGS__)
#define shmem_iget(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _iget, __VA_ARGS__)
#define shmem_put_nbi(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _get_nbi, __VA_ARGS__)
#define shmem_put_signal(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...)                                                                  \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_RMA, _put_signal_nbi, __VA_ARGS__)

#define shmem_atomic_fetch(...)                                                                    \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_EXCHANGED, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...)                                                                      \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_EXCHANGED, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...)                                                                     \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_EXCHANGED, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...)                                                                \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_EXCHANGED, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...)                                                                 \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_EXCHANGED, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...)                                                             \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...)                                                         \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...)                                                                \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...)                                                                      \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...)                                                            \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add(...)                                                                \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...)                                                                      \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...)                                                            \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_ATOMIC, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_and(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_and(...)                                                                \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...)                                                            \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_or(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_or(...)                                                                 \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...)                                                             \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_xor(...) FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...)                                                                \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...)                                                            \
    FURLONG_SHMEM_IN_CTX(FURLONG_SHMEM_OF_BITS, _atomic_fetch_xor_nbi, __VA_ARGS__)
#define shmem_swap(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_EXCHANGED, _swap, __VA_ARGS__)
#define shmem_fetch(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_EXCHANGED, _fetch, __VA_ARGS__)
#define shmem_set(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_EXCHANGED, _set, __VA_ARGS__)
#define shmem_cswap(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_ATOMIC, _cswap, __VA_ARGS__)
#define shmem_finc(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_ATOMIC, _finc, __VA_ARGS__)
#define shmem_inc(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_ATOMIC, _inc, __VA_ARGS__)
#define shmem_fadd(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_ATOMIC, _fadd, __VA_ARGS__)
#define shmem_add(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_ATOMIC, _add, __VA_ARGS__)

#define shmem_wait_until(...)                                                                      \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until, __VA_ARGS__)
#define shmem_test(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test, __VA_ARGS__)
#define shmem_wait_until_all(...)                                                                  \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until_all, __VA_ARGS__)
#define shmem_test_all(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test_all, __VA_ARGS__)
#define shmem_wait_until_all_vector(...)                                                           \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until_all_vector, __VA_ARGS__)
#define shmem_test_all_vector(...)                                                                 \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test_all_vector, __VA_ARGS__)
#define shmem_wait_until_any(...)                                                                  \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until_any, __VA_ARGS__)
#define shmem_test_any(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test_any, __VA_ARGS__)
#define shmem_wait_until_any_vector(...)                                                           \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until_any_vector, __VA_ARGS__)
#define shmem_test_any_vector(...)                                                                 \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test_any_vector, __VA_ARGS__)
#define shmem_wait_until_some(...)                                                                 \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until_some, __VA_ARGS__)
#define shmem_test_some(...) FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test_some, __VA_ARGS__)
#define shmem_wait_until_some_vector(...)                                                          \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_some_vector(...)                                                                \
    FURLONG_SHMEM_PLAIN(FURLONG_SHMEM_OF_WAITED, _test_some_vector, __VA_ARGS__)

#define shmem_broadcast(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _broadcast, __VA_ARGS__)
#define shmem_collect(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _collect, __VA_ARGS__)
#define shmem_fcollect(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _alltoalls, __VA_ARGS__)
#define shmem_min_reduce(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _min_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_RMA, _max_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...)                                                                      \
    FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_SUMMED, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...)                                                                     \
    FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_SUMMED, _prod_reduce, __VA_ARGS__)
#define shmem_and_reduce(...)                                                                      \
    FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_REDUCED_BITS, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...)                                                                       \
    FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_REDUCED_BITS, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...)                                                                      \
    FURLONG_SHMEM_IN_TEAM(FURLONG_SHMEM_OF_REDUCED_BITS, _xor_reduce, __VA_ARGS__)

/* Selects the form for a team or for an active set. */
#define FURLONG_SHMEM_SYNC(team, b, c, d, function, ...) function
#define shmem_sync(...)                                                                            \
    FURLONG_SHMEM_SYNC(__VA_ARGS__, shmem_sync, 0, 0, shmem_team_sync, 0)(__VA_ARGS__)

#endif
