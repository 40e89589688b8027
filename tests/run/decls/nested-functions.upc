// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2
// GNU nested functions that use shared and private variables of the outer one, and move the index and
// pointers of its loops.
#include "../../check.h"

shared int a[4 * THREADS];
shared [8] int blocked[64 * THREADS];

static void check_moves(void)
{
    int i, sum = 0;
    shared [8] int *p = blocked;
    void skip(void) { i++; }
    void move(void) { p += 2; }
    for (i = 0; i < 20; i++) {
        sum += blocked[i];
        if (i % 3 == 0)
            skip();
    }
    CHECK_EQ(sum, 0 + 2 + 3 + 5 + 6 + 8 + 9 + 11 + 12 + 14 + 15 + 17 + 18);
    sum = 0;
    for (i = 0; i < 20; i++, p++) {
        sum += *p;
        if (i % 4 == 3)
            move();
    }
    CHECK_EQ(p - blocked, 30);
    CHECK_EQ(sum, 270);
}

int main(void)
{
    upc_forall (int i = 0; i < 64 * THREADS; i++; &blocked[i])
        blocked[i] = i;
    upc_barrier;
    check_moves();
    int sum = 0;
    int add(int i)
    {
        a[i] = i;
        sum += a[i];
        return sum;
    }
    for (int i = MYTHREAD; i < 4 * THREADS; i += THREADS)
        add(i);
    CHECK_EQ(sum, 4 * MYTHREAD + 6 * THREADS);
    return check_done();
}
