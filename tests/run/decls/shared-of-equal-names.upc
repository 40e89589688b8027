// SPDX-License-Identifier: BSD-3-Clause
// Static shared objects of equal names in two functions, two blocks, two files are different.
//@ with: equal-names-2.upc
#include "../../check.h"
#include "inputs/equal-names.h"

static shared int counter;
static shared [2] int list[4 * THREADS];
shared int twice_declared;
shared int twice_declared;

extern int bump_there(void);
extern int header_there(void);

static int first(void)
{
    static shared int counter = 10;
    return counter;
}

static int second(int inner)
{
    static shared int counter = 20;
    if (inner) {
        static shared int counter = 30;
        return counter;
    }
    return counter;
}

int main(void)
{
    if (MYTHREAD == 0) {
        counter = 1;
        list[1] = 5;
        in_header = 7;
        twice_declared = 3;
        CHECK_EQ(bump_there(), 101);
    }
    upc_barrier;
    CHECK_EQ(counter, 1);
    CHECK_EQ(first() + second(0) + second(1), 60);
    CHECK_EQ(list[1], 5);
    CHECK_EQ(in_header, 7);
    CHECK_EQ(header_there(), 0);
    CHECK_EQ(twice_declared, 3);
    return check_done();
}
