// SPDX-License-Identifier: BSD-3-Clause
// Shared objects that hold private pointers and pointers-to-shared, with all pointer operators.
#include "../../check.h"

shared [4] int data[8 * THREADS];
int *shared local_pointers[THREADS];
shared [4] int *shared far[THREADS];
shared [4] int *shared [2] *shared nested[THREADS];
shared [4] int *shared [2] table[2 * THREADS];

int main(void)
{
    int own[4] = {1, 2, 3, 4}, me = MYTHREAD;
    for (int i = 0; i < 8; i++)
        data[8 * me + i] = 80 * me + i;
    local_pointers[me] = own;
    local_pointers[me]++;
    CHECK_EQ(*local_pointers[me], 2);
    CHECK_EQ(*local_pointers[me]++, 2);
    CHECK_EQ(local_pointers[me][1], 4);
    *local_pointers[me] += 10;
    CHECK_EQ(own[2], 13);
    local_pointers[me] -= 2;
    CHECK(local_pointers[me] == own);

    far[me] = &data[8 * me];
    upc_barrier;
    CHECK_EQ(*far[me]++, 80 * me);
    CHECK_EQ(*++far[me], 80 * me + 2);
    far[me] += 5;
    CHECK_EQ(*far[me], 80 * me + 7);
    CHECK_EQ(far[me][-7], 80 * me);
    CHECK_EQ(far[me] - &data[8 * me], 7);
    CHECK_EQ(upc_phaseof(far[me]), 3);
    upc_barrier;
    int next = (me + 1) % THREADS;
    CHECK_EQ(*far[next], 80 * next + 7);
    table[2 * me + 1] = far[next];
    nested[me] = &table[2 * me + 1];
    CHECK_EQ(**nested[me], 80 * next + 7);
    CHECK_EQ(nested[me][0][-1], 80 * next + 6);
    upc_barrier;
    far[me] = NULL;
    CHECK(!far[me]);
    CHECK(far[me] == 0);
    if (far[me])
        CHECK(0);
    return check_done();
}
