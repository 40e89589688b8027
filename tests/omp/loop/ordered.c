/* SPDX-License-Identifier: BSD-3-Clause */
/* ordered: in the order of the iterations, under each schedule. */
#include "../inputs/check.h"

enum { N = 90 };
static int list[N], length;

#define ORDERED(clauses)                                                                           \
    do {                                                                                           \
        length = 0;                                                                                \
        _Pragma(clauses) for (int i = 0; i < N; i++) {                                             \
            int twice = 2 * i;                                                                     \
            _Pragma("omp ordered") list[length++] = twice;                                         \
        }                                                                                          \
        CHECK(length == N);                                                                        \
        for (int i = 0; i < N; i++) {                                                              \
            CHECK(list[i] == 2 * i);                                                               \
        }                                                                                          \
    } while (0)

int main(void) {
    ORDERED("omp parallel for ordered");
    ORDERED("omp parallel for ordered schedule(static, 2)");
    ORDERED("omp parallel for ordered schedule(dynamic)");
    ORDERED("omp parallel for ordered schedule(dynamic, 4)");
    ORDERED("omp parallel for ordered schedule(guided)");
    ORDERED("omp parallel for ordered schedule(runtime)");
    /* Some iterations have no ordered part. */
    length = 0;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0) {
#pragma omp ordered
            list[length++] = i;
        }
    }
    CHECK(length == N / 3);
    for (int i = 0; i < length; i++) {
        CHECK(list[i] == 3 * i);
    }
    return result();
}
