// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.3p2
// upc_blocksizeof is the layout qualifier's value, 1 without one, through arrays and typedefs.
#include "../../check.h"

typedef int row[10];
typedef shared [6] double six;
shared int none;
shared int none_array[3 * THREADS];
shared [4] int four[8 * THREADS];
shared [3] row rows[3 * THREADS];
shared [*] char star[5 * THREADS];
int shared [7] post;
six via_typedef[THREADS];
shared [2 + 3] struct { int a, b; } records[THREADS];
shared [9] int *pointer;
shared [2] int *shared [5] both;

int main(void)
{
    CHECK_EQ(upc_blocksizeof(none), 1);
    CHECK_EQ(upc_blocksizeof(none_array), 1);
    CHECK_EQ(upc_blocksizeof(four), 4);
    CHECK_EQ(upc_blocksizeof(four[0]), 4);
    CHECK_EQ(upc_blocksizeof(rows), 3);
    CHECK_EQ(upc_blocksizeof(rows[1]), 3);
    CHECK_EQ(upc_blocksizeof(rows[1][2]), 3);
    CHECK_EQ(upc_blocksizeof(star), 5);
    CHECK_EQ(upc_blocksizeof(post), 7);
    CHECK_EQ(upc_blocksizeof(via_typedef), 6);
    CHECK_EQ(upc_blocksizeof(records), 5);
    CHECK_EQ(upc_blocksizeof(*pointer), 9);
    CHECK_EQ(upc_blocksizeof(both), 5);
    CHECK_EQ(upc_blocksizeof(*both), 2);
    CHECK_EQ(upc_blocksizeof(shared [8] char), 8);
    CHECK_EQ(upc_blocksizeof(shared [8] char[8 * THREADS]), 8);
    CHECK_EQ(upc_blocksizeof(six), 6);
    return check_done();
}
