// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.4p2
// & of a shared array is a pointer to that array, from which every element is reached.
#include "../../check.h"

shared [3] int a[7 * THREADS];
shared [] char text[2][10];

int main(void)
{
    shared [3] int(*p)[7 * THREADS] = &a;
    CHECK_EQ(upc_threadof(p), 0);
    CHECK_EQ(upc_phaseof(p), 0);
    CHECK_EQ(sizeof *p, sizeof a);
    for (int i = 0; i < 7 * THREADS; i++) {
        CHECK(&(*p)[i] == &a[i]);
        CHECK_EQ(upc_threadof(&(*p)[i]), i / 3 % THREADS);
        CHECK_EQ(upc_phaseof(&(*p)[i]), i % 3);
    }
    shared [] char(*row)[10] = &text[1];
    CHECK(&(*row)[0] == &text[1][0]);
    CHECK_EQ(row - text, 1);
    return check_done();
}
