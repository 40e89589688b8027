// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 8x1 1x8
//@ limit: 90
// Threads that write neighbouring bytes at once do not disturb each other.
#include "../../check.h"

shared [] unsigned char bytes[64];
shared [] unsigned short words[64];
shared [] struct { char a, b, c; } triples[64];

int main(void)
{
    for (int round = 0; round < 3000; round++)
        for (int i = MYTHREAD; i < 64; i += THREADS) {
            bytes[i]++;
            words[i] += 3;
            triples[i].b = (char)round;
        }
    upc_barrier;
    for (int i = 0; i < 64; i++) {
        CHECK_EQ(bytes[i], 3000 % 256);
        CHECK_EQ(words[i], 9000);
        CHECK(triples[i].a == 0 && triples[i].b == (char)2999 && triples[i].c == 0);
    }
    return check_done();
}
