// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:3x1 2:2x2 1x3
//@ flags: -O2
// Loops over blocks of several sizes, which are read ahead where they are another host's: they find what
// their own thread has written since, in pieces of any length, and what others have before a barrier.
#include <upc_relaxed.h>
#include "expect.h"

enum { TIMES = 9 };

#define OF_BLOCKS(B, N_BLOCKS)                                                                     \
    static shared [B] long array_##B[B * (N_BLOCKS) * THREADS];                                    \
    static __attribute__((noinline)) long sum_##B(int lo, int hi)                                  \
    {                                                                                              \
        long sum = 0;                                                                              \
        for (int i = lo; i < hi; i++)                                                              \
            sum += array_##B[i];                                                                   \
        return sum;                                                                                \
    }                                                                                              \
    static __attribute__((noinline)) long sum_down_##B(int lo, int hi)                             \
    {                                                                                              \
        long sum = 0;                                                                              \
        for (int i = hi - 1; i >= lo; i--)                                                         \
            sum += array_##B[i];                                                                   \
        return sum;                                                                                \
    }                                                                                              \
    static __attribute__((noinline)) void fill_##B(int lo, int hi, long value)                     \
    {                                                                                              \
        for (int i = lo; i < hi; i++)                                                              \
            array_##B[i] = value;                                                                  \
    }                                                                                              \
    static void check_##B(void)                                                                    \
    {                                                                                              \
        const int n = B * (N_BLOCKS) * THREADS;                                                    \
        upc_forall (int i = 0; i < n; i++; &array_##B[i])                                          \
            array_##B[i] = 1;                                                                      \
        upc_barrier;                                                                               \
        for (int time = 0; time < TIMES; time++) {                                                 \
            const int writer = time % THREADS, at = (37 * time + 11) % (n / 2);                    \
            const int many[] = {1, B / 3, B - 1, B, 3 * B, n / 2};                                 \
            long expected = sum_##B(0, n);                                                         \
            upc_barrier;                                                                           \
            if (MYTHREAD == writer)                                                                \
                for (int k = 0; k < 6; k++) {                                                      \
                    long before = sum_##B(at, at + many[k]);                                       \
                    expect(#B ": a few", sum_##B(at, at + 5) != -1, 1); /* lines of these */       \
                    fill_##B(at, at + many[k], time + k);                                          \
                    expect(#B ": the first one", array_##B[at], time + k);                         \
                    long added = (long)(time + k) * many[k] - before;                              \
                    expected += added;                                                             \
                    expect(#B ": own writes", sum_##B(0, n), expected);                            \
                    expect(#B ": own writes, downwards", sum_down_##B(0, n), expected);            \
                }                                                                                  \
            upc_barrier;                                                                           \
            long seen = sum_##B(0, n);                                                             \
            expect(#B ": the others' writes", seen, sum_down_##B(0, n));                           \
            expect(#B ": the last ones", array_##B[at + n / 2 - 1], time + 5);                     \
            upc_barrier;                                                                           \
        }                                                                                          \
    }

OF_BLOCKS(100, 60)
OF_BLOCKS(500, 20)
OF_BLOCKS(1111, 12)
OF_BLOCKS(2048, 8)
OF_BLOCKS(3000, 6)

int main(void)
{
    check_100();
    check_500();
    check_1111();
    check_2048();
    check_3000();
    return MYTHREAD == 0 ? done() : wrong;
}
