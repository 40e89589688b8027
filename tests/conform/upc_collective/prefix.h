// SPDX-License-Identifier: BSD-3-Clause
// Trials of upc_all_prefix_reduceT.
#include "reduction.h"

// Of random parts; what is not in the part stays as it is. The result goes to an array with the
// same layout, to a later row of one, or (which UPC 1.3 leaves undefined) to anywhere in one.
#define DEFINE_PREFIX(T, type, B, SHARED, LENGTH)                                                  \
    DEFINE_ARRAY(T, type, B, SHARED, LENGTH)                                                       \
    SHARED type b##T##B[LENGTH];                                                                   \
    static void prefix##T##B(upc_op_t op, int trial)                                               \
    {                                                                                              \
        upc_flag_t flags = flags_of(trial);                                                        \
        size_t row = (B) * THREADS;                                                                \
        size_t from = pick((LENGTH) - row), n = 1 + pick((LENGTH) - row - from);                   \
        size_t to = trial % 3 ? from + pick(2) * row : pick((LENGTH) - n + 1);                     \
        type before = (type)(trial % 100);                                                         \
        fill##T##B(op, trial);                                                                     \
        for (size_t i = 0; i < (LENGTH); i++)                                                      \
            if (upc_threadof(&b##T##B[i]) == MYTHREAD)                                             \
                b##T##B[i] = before;                                                               \
        before_call(flags);                                                                        \
        upc_all_prefix_reduce##T(&b##T##B[to], &a##T##B[from], op, n, B, function##T(op), flags);  \
        after_call(flags);                                                                         \
        type expected = 0;                                                                         \
        for (size_t i = 0; i < (LENGTH); i++) {                                                    \
            int within = i >= to && i - to < n;                                                    \
            if (within) {                                                                          \
                type v = (type)value_of(op, i - to + from, trial);                                 \
                expected = i == to ? v : apply##T(expected, op, v);                                \
            }                                                                                      \
            if (upc_threadof(&b##T##B[i]) != MYTHREAD && !all_is_done(flags))                      \
                continue;                                                                          \
            type right = within ? expected : before;                                               \
            if (b##T##B[i] != right) {                                                             \
                printf(#T ", block %d, op 0x%x, %zu from %zu to %zu: [%zu] is %Lg, not %Lg\n", B,   \
                       op, n, from, to, i, (long double)b##T##B[i], (long double)right);           \
                check_failures++;                                                                  \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
        if (all_is_done(flags))                                                                    \
            upc_barrier;                                                                           \
    }
