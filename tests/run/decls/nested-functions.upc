// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2
// GNU nested functions that use shared and private variables of the outer one, and move or read the index
// and pointers of its loops; variables with a cleanup.
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

static void check_reads(void)
{
    int i = 0, sum = 0;
    shared [8] int *p = blocked;
    int index(void) { return i; }
    int place(void) { return p - blocked; }
    while (i < 20) {
        sum += blocked[i++];
        sum += 100 * index();
    }
    CHECK_EQ(sum, 190 + 21000);
    sum = 0;
    for (int k = 0; k < 20; k++) {
        sum += *p++;
        sum += 100 * place();
    }
    CHECK_EQ(sum, 190 + 21000);
}

static int last;
static void keep(int *i) { last = *i; }

static int find(int wanted)
{
    int i __attribute__((cleanup(keep))) = 0;
    while (i < 32)
        if (blocked[i++] == wanted)
            return 1;
    return 0;
}

static int find_first(int sum)
{
    int i __attribute__((cleanup(keep))) = 0;
    while (i < 32) {
        sum -= blocked[i++];
        if (sum < 0)
            return 1;
    }
    return 0;
}

int main(void)
{
    upc_forall (int i = 0; i < 64 * THREADS; i++; &blocked[i])
        blocked[i] = i;
    upc_barrier;
    check_moves();
    check_reads();
    CHECK(find(10) && last == 11);
    CHECK(find_first(55) && last == 12);
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
