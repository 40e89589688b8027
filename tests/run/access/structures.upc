// SPDX-License-Identifier: BSD-3-Clause
// Shared structures: members, nested, arrays inside, copies in all directions.
#include "../../check.h"

struct inner { char tag; double weight[3]; };
struct outer { int id; struct inner in[2]; struct { short lo, hi; }; char name[11]; };
shared [2] struct outer s[4 * THREADS];
shared struct outer one;

static int sum(struct outer o)
{
    return o.id + (int)o.in[1].weight[2] + o.hi;
}

static struct outer make(int id)
{
    struct outer o = {.id = id, .in[1].weight[2] = id + 0.5, .hi = -1, .name = "made"};
    return o;
}

int main(void)
{
    for (int e = MYTHREAD; e < 4 * THREADS; e += THREADS) {
        s[e] = make(e);
        s[e].in[0].tag = 't';
        s[e].in[0].weight[1] = 1.5;
        s[e].lo = 12;
        s[e].name[10] = 'z';
        struct outer copy = s[e];
        CHECK_EQ(copy.id, e);
        CHECK(copy.in[0].weight[1] == 1.5 && copy.in[0].tag == 't');
        CHECK_EQ(copy.lo * 100 + copy.name[10], 1200 + 'z');
        CHECK(memcmp(copy.name, "made", 5) == 0);
        CHECK_EQ(sum(s[e]), e + e - 1);
        copy.id = -e;
        s[e] = copy;
        CHECK_EQ(s[e].id, -e);
        struct inner part = s[e].in[1];
        part.weight[0] = 8;
        s[e].in[0] = part;
        CHECK(s[e].in[0].weight[0] == 8 && s[e].in[0].weight[2] == e + 0.5);
        s[e].in[1] = s[e].in[0];
        CHECK(s[e].in[1].weight[0] == 8);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        one = s[4 * THREADS - 1];
    upc_barrier;
    CHECK_EQ(one.id, 1 - 4 * THREADS);
    int next = (MYTHREAD + 1) % THREADS;
    struct outer *array = malloc(2 * sizeof *array);
    array[1] = s[next];
    CHECK_EQ(array[1].id, -next);
    CHECK_EQ((s[next]).id, make(-next).id);
    free(array);
    return check_done();
}
