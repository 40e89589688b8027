// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x5 2x2 1x7 4x1
//@ flags: -O2
// Steps by a constant, which have a form of their own: through blocks and rows, there and back, to
// the element that a subscript names and with its phase.
#include "../../check.h"

enum { N = 400, LARGE = 300000 };

shared int of1[N * THREADS];
shared [3] int of3[N * THREADS];
shared [64] int of64[N * THREADS];
shared [LARGE] char large[2 * LARGE * THREADS];
shared [64] struct { char text[5]; } records[N * THREADS];

#define CHECK_STEPS(array, n, first, last, pointer) \
    do { \
        pointer = &array[first]; \
        for (long i = first; i < last; i++) { \
            CHECK(pointer == &array[i]); \
            CHECK_EQ(upc_phaseof(pointer), upc_phaseof(&array[i])); \
            CHECK(pointer + 1 == &array[i + 1]); \
            CHECK_EQ(upc_phaseof(pointer + 1), upc_phaseof(&array[i + 1])); \
            if (i + 2 < n) { \
                CHECK(pointer + 2 == &array[i + 2]); \
                CHECK_EQ(upc_phaseof(pointer + 2), upc_phaseof(&array[i + 2])); \
            } \
            if (i >= 5) { \
                CHECK(pointer - 5 == &array[i - 5]); \
                CHECK_EQ(upc_phaseof(pointer - 5), upc_phaseof(&array[i - 5])); \
            } \
            if (i + THREADS < n) { \
                CHECK(pointer + THREADS == &array[i + THREADS]); \
            } \
            pointer++; \
        } \
        for (long i = last; i > first; i--) { \
            CHECK(pointer == &array[i]); \
            CHECK_EQ(upc_phaseof(pointer), upc_phaseof(&array[i])); \
            pointer--; \
        } \
        CHECK(pointer == &array[first]); \
        CHECK(pointer++ == &array[first]); \
        CHECK(--pointer == &array[first]); \
        CHECK((pointer += 3) == &array[first + 3]); \
        CHECK((pointer -= 3) == &array[first]); \
    } while (0)

int main(void)
{
    shared int *p1;
    shared [3] int *p3;
    shared [64] int *p64;
    shared [LARGE] char *p;
    CHECK_STEPS(of1, N * THREADS, 0, N * THREADS - 1, p1);
    CHECK_STEPS(of3, N * THREADS, 0, N * THREADS - 1, p3);
    CHECK_STEPS(of64, N * THREADS, 0, N * THREADS - 1, p64);
    for (long block = 1; block < 2 * THREADS; block++) {
        long at = block * LARGE;
        CHECK_STEPS(large, 2L * LARGE * THREADS, at - 10, at + 10, p);
    }

    shared void *end = &records[N * THREADS - 1];
    long n = 0;
    for (__typeof__(&records[0]) r = &records[0]; r != end; r++) {
        CHECK(r == &records[n]);
        n++;
    }
    CHECK_EQ(n, N * THREADS - 1);
    return check_done();
}
