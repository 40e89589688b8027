// SPDX-License-Identifier: BSD-3-Clause
// Cyclic arrays whose elements do not begin at multiples of their size in the segments: each element
// is on the next thread, and each row one element further.
//@ mappings: 1x1 2x1 3x1 1x4 4x2 1x5 8x1
//@ flags: -O2
#include "../../check.h"
#include <upc_relaxed.h>

enum { ROWS = 6 };

struct pair { int first, second; }; /* 8 bytes that may begin at 4 */
struct triple { short values[3]; };

#define CHECK_PLACES(type, offset)                                                                \
    do {                                                                                          \
        shared [] char *begin = (shared [] char *)memory + (offset);                              \
        shared type *origin = (shared type *)begin;                                               \
        for (long i = 0; i < ROWS * THREADS; i++) {                                               \
            CHECK_EQ(upc_threadof(&origin[i]), i % THREADS);                                      \
            CHECK_EQ(upc_addrfield(&origin[i]),                                                   \
                     upc_addrfield(begin) + (size_t)(i / THREADS) * sizeof(type));                \
            shared type *from_there = &origin[i];                                                 \
            for (long k = -i; k < ROWS * THREADS - i; k++) {                                      \
                CHECK(&from_there[k] == &origin[i + k]);                                          \
            }                                                                                     \
        }                                                                                         \
    } while (0)

int main(void) {
    shared void *memory = upc_all_alloc(THREADS, 4096);
    CHECK_PLACES(struct pair, 0);
    CHECK_PLACES(struct pair, 4);
    CHECK_PLACES(struct triple, 2);
    CHECK_PLACES(double, 8);
    CHECK_PLACES(char, 3);
    return check_done();
}
