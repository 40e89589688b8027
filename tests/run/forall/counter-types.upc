// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Counters of every integer type, to the end of their range.
#include "inputs/check_loop.h"
#include <limits.h>

static int cyclic(int i)
{
    return i % THREADS;
}

#define COUNTER(T, from, to)                                                                  \
    do {                                                                                      \
        begin_loop();                                                                         \
        upc_forall(T i = (from); i < (to); i++; i) perform((int)i);                           \
        end_loop(from, to, 1, cyclic);                                                        \
    } while (0)

int main(void)
{
    COUNTER(char, 0, 127);
    COUNTER(signed char, 5, 127);
    COUNTER(unsigned char, 3, 255);
    COUNTER(short, 0, 200);
    COUNTER(unsigned short, 7, 200);
    COUNTER(int, 0, 200);
    COUNTER(unsigned, 1, 200);
    COUNTER(long, 2, 200);
    COUNTER(unsigned long, 3, 200);
    COUNTER(long long, 4, 200);
    COUNTER(size_t, 5, 200);
    begin_loop();
    upc_forall(int i = INT_MAX - 20; i < INT_MAX; i++; i)
        CHECK_EQ(i % THREADS, MYTHREAD);
    upc_forall(unsigned i = UINT_MAX - 20; i != 3; i++; i) CHECK_EQ(i % THREADS, MYTHREAD);
    upc_forall(unsigned i = 20; i < 21; i--; i) perform((int)i);
    end_loop(0, 21, 1, cyclic);
    return check_done();
}
