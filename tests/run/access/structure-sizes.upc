// SPDX-License-Identifier: BSD-3-Clause
// Structures of every size from 1 to 40 bytes, and large ones, are copied whole and alone.
#include "../../check.h"

#define SIZED(n)                                                                              \
    shared [2] struct sized##n { unsigned char c[n]; } s##n[3 * THREADS];                     \
    static void run##n(void)                                                                  \
    {                                                                                         \
        struct sized##n x;                                                                    \
        for (int i = 0; i < n; i++)                                                           \
            x.c[i] = (unsigned char)(i + MYTHREAD + 1);                                       \
        s##n[3 * MYTHREAD + 1] = x;                                                           \
        upc_barrier;                                                                          \
        int t = (MYTHREAD + 1) % THREADS;                                                     \
        struct sized##n y = s##n[3 * t + 1];                                                  \
        for (int i = 0; i < n; i++)                                                           \
            CHECK_EQ(y.c[i], (unsigned char)(i + t + 1));                                     \
        CHECK_EQ(s##n[3 * t].c[n - 1] + s##n[3 * t + 2].c[0], 0);                             \
    }

SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8) SIZED(9)
SIZED(12) SIZED(15) SIZED(16) SIZED(17) SIZED(24) SIZED(31) SIZED(33) SIZED(40)
SIZED(1000) SIZED(4097) SIZED(70000)

int main(void)
{
    run1(), run2(), run3(), run4(), run5(), run6(), run7(), run8(), run9(), run12();
    run15(), run16(), run17(), run24(), run31(), run33(), run40(), run1000(), run4097();
    run70000();
    return check_done();
}
