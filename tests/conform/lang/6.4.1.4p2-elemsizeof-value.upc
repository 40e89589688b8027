// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.4p2
// upc_elemsizeof is the size of the ultimate element type.
#include "../../check.h"

typedef int row[10];
typedef struct { char name[13]; double d; } record;
shared [3] row rows[3 * THREADS];
shared record records[2][THREADS];
shared [] char text[80];
shared double scalar;
shared record one;
shared int *shared pointers[THREADS];
enum { ELEM = upc_elemsizeof(rows) };

int main(void)
{
    CHECK_EQ(upc_elemsizeof(rows), sizeof(int));
    CHECK_EQ(upc_elemsizeof rows[0], sizeof(int));
    CHECK_EQ(upc_elemsizeof(records), sizeof(record));
    CHECK_EQ(upc_elemsizeof(text), 1);
    CHECK_EQ(upc_elemsizeof(scalar), sizeof scalar);
    CHECK_EQ(upc_elemsizeof(one), sizeof(one));
    CHECK_EQ(upc_elemsizeof(pointers), sizeof(shared int *));
    CHECK_EQ(upc_elemsizeof(shared [2] row), sizeof(int));
    CHECK_EQ(ELEM, sizeof(int));
    return check_done();
}
