// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 1x7
// Pointers to rows and to planes of a blocked array: steps, differences, subscripts.
#include "../../check.h"

shared [7] int a[3 * THREADS][4][5];

int main(void)
{
    shared [7] int(*plane)[4][5] = a, (*row)[5] = a[0], *cell = a[0][0];
    int planes = 3 * THREADS;
    for (int i = MYTHREAD; i < 20 * planes; i += THREADS)
        cell[i] = i;
    upc_barrier;
    for (int i = 0; i < planes; i++)
        for (int j = 0; j < 4; j++) {
            CHECK_EQ(upc_phaseof(&row[4 * i + j]), (20 * i + 5 * j) % 7);
            CHECK_EQ(upc_threadof(a[i][j]), (20 * i + 5 * j) / 7 % THREADS);
            CHECK_EQ(a[i] - row, 4 * i);
            CHECK_EQ(a[i][j] - cell, 20 * i + 5 * j);
            CHECK_EQ((*(row + 4 * i + j))[3], 20 * i + 5 * j + 3);
            for (int k = 0; k < 5; k++) {
                CHECK_EQ(plane[i][j][k], 20 * i + 5 * j + k);
                CHECK_EQ(*(*(*(plane + i) + j) + k), 20 * i + 5 * j + k);
                CHECK(&plane[i][j][k] == cell + 20 * i + 5 * j + k);
            }
        }
    plane += planes - 1;
    CHECK_EQ((*plane)[3][4], 20 * planes - 1);
    row = *plane-- + 1;
    CHECK_EQ((*row)[0], 20 * planes - 15);
    CHECK_EQ(plane - a, planes - 2);
    return check_done();
}
