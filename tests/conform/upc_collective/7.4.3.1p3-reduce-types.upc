// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.3p1 7.4.3.1p2 7.4.3.1p3
// Every type and operation, on random parts of an array, with every combination of flags.
#include "reduce.h"

#define DEFINE(T, type, class) \
    DEFINE_TYPE(T, type, class) \
    DEFINE_REDUCE(T, type, 3, shared [3], PER_THREAD * THREADS)
TYPES(DEFINE)

int main(void)
{
    int trial = 0;
#define TRY(T, type, class)              \
    for (int i = 0; i < N_##class; i++)  \
        reduce##T##3(operations[i], trial++);
    for (int repeat = 0; repeat < 2; repeat++) {
        TYPES(TRY)
    }
    return check_done();
}
