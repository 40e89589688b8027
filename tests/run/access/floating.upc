// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on shared floating types, beside a private mirror.
#include "../../check.h"

#define SUITE(T, name, layout)                                                                \
    shared layout T name[6 * THREADS];                                                        \
    static void run_##name(void)                                                              \
    {                                                                                         \
        for (int e = MYTHREAD; e < 6 * THREADS; e += THREADS) {                               \
            T mirror = e / (T)3;                                                              \
            name[e] = mirror;                                                                 \
            CHECK((name[e] += 1.25) == (mirror += 1.25));                                     \
            CHECK((name[e] -= 3) == (mirror -= 3));                                           \
            CHECK((name[e] *= 1.1f) == (mirror *= 1.1f));                                     \
            CHECK((name[e] /= 7) == (mirror /= 7));                                           \
            CHECK(name[e]++ == mirror++);                                                     \
            CHECK(++name[e] == ++mirror);                                                     \
            CHECK(--name[e] == --mirror);                                                     \
            CHECK(name[e]-- == mirror--);                                                     \
            CHECK(-name[e] == -mirror);                                                       \
            CHECK(!name[e] == !mirror);                                                       \
            CHECK((int)(100 * name[e]) == (int)(100 * mirror));                               \
            CHECK((name[e] < 1) == (mirror < 1));                                             \
            CHECK(name[e] == mirror);                                                         \
            name[e] = e;                                                                      \
            CHECK(name[e] == e);                                                              \
        }                                                                                     \
    }

SUITE(float, f_cyclic, )
SUITE(float, f_blocked, [4])
SUITE(double, d_cyclic, [1])
SUITE(double, d_star, [*])
SUITE(long double, l_cyclic, )
SUITE(long double, l_blocked, [2])

int main(void)
{
    run_f_cyclic();
    run_f_blocked();
    run_d_cyclic();
    run_d_star();
    run_l_cyclic();
    run_l_blocked();
    return check_done();
}
