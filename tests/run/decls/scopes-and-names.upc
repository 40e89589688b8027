// SPDX-License-Identifier: BSD-3-Clause
// UPC's names as members, labels, macro parameters and tags; shadowing of shared objects.
#include "../../check.h"

shared int x = 1;
shared [3] int list[3 * THREADS];
typedef shared [3] int *pointer;

struct phase { int threadof, barrier; };
enum lock { OPEN, CLOSED };

static int shadow(int x)
{
    int sum = x;
    {
        double x = 2.5;
        sum += (int)x;
    }
    for (char x = 3; x < 4; x++)
        sum += x;
    {
        extern shared int x;
        sum += x;
    }
    return sum;
}

static int typedef_shadow(void)
{
    int pointer = 3;
    {
        struct pointer { int pointer; } p = {4};
        pointer += p.pointer;
    }
    return pointer * 2;
}

int main(void)
{
    struct phase phase = {1, .barrier = 2};
    enum lock lock = CLOSED;
    pointer list_pointer = list;
    goto notify;
notify:
    CHECK_EQ(shadow(10), 16);
    CHECK_EQ(typedef_shadow(), 14);
    CHECK_EQ(phase.threadof + phase.barrier + lock, 4);
    CHECK(list_pointer == list);
    return check_done();
}
