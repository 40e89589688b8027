// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Static locals: initialised before first use on each thread, with addresses, in recursion, in
// blocks of equal names.
#include "../../check.h"

static int depth_reached(int n)
{
    static int deepest;
    static int *where = &deepest;
    if (n > *where)
        *where = n;
    return n > 5 ? deepest : depth_reached(n + 1);
}

static int blocks(int which)
{
    if (which) {
        static int x = 100;
        return x++;
    }
    static int x = 200;
    {
        static int x = 300;
        x++;
        return x;
    }
    return x;
}

static const char *name_of(int i)
{
    static const char *const names[] = {"zero", "one", "two"};
    static char copy[3][8];
    static char *slots[] = {copy[0], copy[1], &copy[2][1]};
    strcpy(slots[i], names[i]);
    return slots[i];
}

int main(void)
{
    for (int i = 0; i <= MYTHREAD; i++)
        blocks(1), blocks(0);
    upc_barrier;
    CHECK_EQ(depth_reached(0), 6);
    CHECK_EQ(blocks(1), 101 + MYTHREAD);
    CHECK_EQ(blocks(0), 302 + MYTHREAD);
    CHECK(strcmp(name_of(2), "two") == 0 && strcmp(name_of(0), "zero") == 0);
    for (int i = 0; i < 2; i++) {
        static int turns;
        turns++;
        CHECK_EQ(turns, i + 1);
    }
    return check_done();
}
