// SPDX-License-Identifier: BSD-3-Clause
// The nesting is dynamic also through pointers and recursion, and is undone on every path.
#include "../../check.h"

static int inner(void)
{
    int turns = 0;
    upc_forall(int k = 0; k < 3 * THREADS; k++; k) {
        if (k % 2)
            continue;
        turns++;
    }
    return turns;
}

static int recursive(int depth)
{
    int turns = 0;
    if (depth == 0)
        return inner();
    upc_forall(int i = 0; i < 2 * THREADS; i++; i) turns += recursive(depth - 1);
    return turns;
}

static int (*volatile pointer)(void) = inner;

int main(void)
{
    int all = (3 * THREADS + 1) / 2, alone = inner();
    upc_forall(int i = 0; i < THREADS; i++; i) CHECK_EQ(pointer(), all);
    CHECK_EQ(inner(), alone);
    CHECK_EQ(recursive(1), 2 * all);
    CHECK_EQ(recursive(2), 2 * 2 * THREADS * all);
    CHECK_EQ(inner(), alone);
    return check_done();
}
