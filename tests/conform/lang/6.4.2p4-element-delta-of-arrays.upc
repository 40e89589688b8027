// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p4
// A pointer to a shared array moves by whole arrays: the delta counts ultimate elements.
#include "../../check.h"

shared [3] int t[4 * THREADS][10];

int main(void)
{
    shared [3] int(*row)[10] = t;
    for (int i = 0; i < 4 * THREADS; i++) {
        shared [3] int(*at)[10] = row + i;
        CHECK_EQ(upc_phaseof(at), 10 * i % 3);
        CHECK_EQ(upc_threadof(at), 10 * i / 3 % THREADS);
        CHECK_EQ(at - row, i);
        CHECK(at - i == row);
        for (int j = 0; j < 10; j++) {
            shared [3] int *p = &t[i][j];
            CHECK(&(*at)[j] == p);
            CHECK_EQ(upc_phaseof(p), (10 * i + j) % 3);
            CHECK_EQ(upc_threadof(p), (10 * i + j) / 3 % THREADS);
        }
    }
    return check_done();
}
