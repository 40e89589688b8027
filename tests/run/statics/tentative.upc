// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Tentative definitions of a private variable in several files are one object for each thread, and
// one file may initialise it.
//@ with: tentative-2.upc tentative-3.c
//@ separate
#include "inputs/tentative.h"
#include "../../check.h"

int count;
int *first_address = &count;

int main(void)
{
    CHECK_EQ(initialised, 42);
    CHECK(&count == count_address_2() && &count == count_address_3());
    CHECK(first_address == &count);
    for (int i = 0; i < 20; i++)
        table[i] = 100 * MYTHREAD + i;
    count = MYTHREAD;
    completed[2] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(*count_address_2(), MYTHREAD);
    CHECK_EQ(table_sum_2(), 20 * 100 * MYTHREAD + 190);
    CHECK_EQ(completed[2], MYTHREAD);
    return check_done();
}
