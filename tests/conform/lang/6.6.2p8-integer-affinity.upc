// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p8
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// With an integer affinity thread (affinity mod THREADS) performs the iteration, in every type.
#include "../../check.h"
#include <limits.h>

enum e { ZERO, ONE, TWO };

#define TURNS(type, first, count)                                                             \
    do {                                                                                      \
        type from = (first);                                                                  \
        int k;                                                                                \
        upc_forall(k = 0; k < (count); k++; (type)(from + k))                                 \
            CHECK_EQ((type)(from + k) % (unsigned)THREADS, MYTHREAD);                         \
    } while (0)

int main(void)
{
    TURNS(int, 0, 20);
    TURNS(char, 0, 20);
    TURNS(unsigned char, 240, 16);
    TURNS(short, 1000, 20);
    TURNS(unsigned, UINT_MAX - 5, 5);
    TURNS(long, 1L << 40, 20);
    TURNS(unsigned long, ULONG_MAX - 10, 10);
    TURNS(unsigned long long, 1ULL << 63, 20);
    TURNS(_Bool, 0, 1);
    int turns = 0;
    upc_forall(enum e v = ZERO; v <= TWO; v++; v) turns += v % THREADS == MYTHREAD;
    upc_forall(int i = 0; i < 2 * THREADS; i++; THREADS - 1) turns += 10000;
    CHECK_EQ(turns / 10000, MYTHREAD == THREADS - 1 ? 2 * THREADS : 0);
    return check_done();
}
