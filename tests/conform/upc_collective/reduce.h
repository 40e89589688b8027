// SPDX-License-Identifier: BSD-3-Clause
// Trials of upc_all_reduceT.
#include "reduction.h"

// Reductions of random parts, to objects at random threads.
#define DEFINE_REDUCE(T, type, B, SHARED, LENGTH)                                                  \
    DEFINE_ARRAY(T, type, B, SHARED, LENGTH)                                                       \
    static shared [2] type result##T##B[2 * THREADS];                                              \
    static void reduce##T##B(upc_op_t op, int trial)                                               \
    {                                                                                              \
        upc_flag_t flags = flags_of(trial);                                                        \
        size_t first = pick(LENGTH), n = 1 + pick((LENGTH) - first), to = pick(2 * THREADS);       \
        fill##T##B(op, trial);                                                                     \
        before_call(flags);                                                                        \
        upc_all_reduce##T(&result##T##B[to], &a##T##B[first], op, n, B, function##T(op), flags);   \
        after_call(flags);                                                                         \
        if (upc_threadof(&result##T##B[to]) == MYTHREAD || all_is_done(flags)) {                   \
            type expected = (type)value_of(op, first, trial);                                      \
            for (size_t i = first + 1; i < first + n; i++)                                         \
                expected = apply##T(expected, op, (type)value_of(op, i, trial));                   \
            if (result##T##B[to] != expected) {                                                    \
                printf(#T ", block %d, op 0x%x, %zu from %zu: %Lg, not %Lg\n", B, op, n, first,    \
                       (long double)result##T##B[to], (long double)expected);                      \
                check_failures++;                                                                  \
            }                                                                                      \
        }                                                                                          \
        if (all_is_done(flags))                                                                    \
            upc_barrier;                                                                           \
    }
