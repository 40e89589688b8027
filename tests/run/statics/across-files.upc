// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// extern variables of another UPC file are that thread's own; statics of equal names are two.
//@ with: across-files-2.upc
#include "../../check.h"

extern int counter;
extern int *counter_address;
extern int numbers[];
extern shared int common[2 * THREADS];
extern shared [3] int blocked[3 * THREADS];
static int hidden = 1;
int from_main = 7;
int *from_main_address = &from_main;
int tentative_in_both;

extern int bump(int by);
extern int hidden_there(void);
extern int read_main(void);

int main(void)
{
    extern int numbers[];
    CHECK_EQ(counter, 100);
    CHECK(counter_address == &counter);
    CHECK_EQ(bump(MYTHREAD), 100 + MYTHREAD);
    CHECK_EQ(counter, 100 + MYTHREAD);
    counter++;
    CHECK_EQ(bump(0), 101 + MYTHREAD);
    CHECK_EQ(hidden * 10 + hidden_there(), 12);
    CHECK_EQ(numbers[2], 3);
    numbers[2] = MYTHREAD;
    CHECK_EQ(read_main(), 7);
    common[MYTHREAD] = MYTHREAD;
    blocked[3 * MYTHREAD + 2] = MYTHREAD;
    tentative_in_both = MYTHREAD;
    upc_barrier;
    CHECK_EQ(numbers[2], MYTHREAD);
    CHECK_EQ(tentative_in_both, MYTHREAD);
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(common[t], t);
        CHECK_EQ(blocked[3 * t + 2], t);
        CHECK_EQ(upc_threadof(&blocked[3 * t]), t);
    }
    return check_done();
}
