// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p16
//@ static-threads: 4
//@ mappings: 4x1 1x4 2x2
// In the static environment the division may have a rest: the last thread holds less.
#include "../../check.h"

shared [*] int a[10];
shared [*] int b[3];
shared [*] int scalar_array[1];

int main(void)
{
    CHECK_EQ(upc_blocksizeof(a), 3);
    CHECK_EQ(upc_blocksizeof(b), 1);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(upc_threadof(&a[i]), i / 3);
    CHECK_EQ(upc_affinitysize(sizeof a, 3 * sizeof(int), 3), sizeof(int));
    CHECK_EQ(upc_threadof(&scalar_array[0]), 0);
    return check_done();
}
