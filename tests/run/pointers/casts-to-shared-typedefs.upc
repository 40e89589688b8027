// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:4x1
// Casts to pointers whose shared target has a typedef's name, with its block size and reference
// type.
#include "../../check.h"

typedef shared [4] int four;
typedef shared struct cell {
    int number;
    char letter;
} shared_cell;
typedef strict shared int flag;
typedef four *four_pointer;

four array[4 * THREADS];
shared_cell cell;
flag ready;

int main(void)
{
    four *p = array;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &array[i])
        array[i] = 10 * i;
    if (MYTHREAD == 0)
        cell.number = 2;
    upc_barrier;
    shared void *generic = &array[3];
    CHECK_EQ(*(four *)generic, 30);
    CHECK_EQ(upc_phaseof((four *)generic), 3);
    CHECK_EQ(upc_phaseof((four_pointer)generic), 3);
    CHECK_EQ(upc_phaseof((shared int *)generic), 0);
    CHECK_EQ(((four *)generic)[-2], 10);
    CHECK_EQ(*((four *)generic + 4 * (THREADS - 1)), 40 * (THREADS - 1) + 30);
    CHECK_EQ(*(const four *)(p + 1), 10);
    generic = &cell;
    CHECK_EQ(((shared_cell *)generic)->number, 2);
    CHECK_EQ((*(shared_cell *)generic).number, 2);
    *(flag *)&ready = 5;
    CHECK_EQ(*(volatile flag *)&ready, 5);
    CHECK_EQ(upc_blocksizeof(four), 4);
    CHECK_EQ(upc_elemsizeof(shared_cell), sizeof(struct cell));
    upc_barrier;
    return check_done();
}
