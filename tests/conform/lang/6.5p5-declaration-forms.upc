// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p5
// Qualifiers stand anywhere among the specifiers, several declarators share them, initialisers
// follow.
#include "../../check.h"

shared int a = 1, *p = 0, *shared q, b[2 * THREADS];
int shared c = 2;
static shared int d = 3;
const int static shared e = 4;
extern shared int f;
shared int f = 5;
unsigned long shared [2] int g[4 * THREADS], h[2][2 * THREADS];

int main(void)
{
    static shared [] int inside[3];
    static shared int counted = 6;
    extern shared int f;
    if (MYTHREAD == 0) {
        inside[2] = 7;
        q = &b[1];
        b[1] = 8;
        h[1][1] = 9;
    }
    p = &a;
    upc_barrier;
    CHECK_EQ(*p + c + d + e + f + counted, 21);
    CHECK_EQ(inside[2], 7);
    CHECK_EQ(*q, 8);
    CHECK_EQ(h[1][1], 9);
    CHECK_EQ(sizeof g[0], sizeof(unsigned long));
    return check_done();
}
