// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Statics initialised with addresses of other statics: each thread's with its own.
#include "../../check.h"

static int a = 1, b[3] = {2, 3, 4};
static int *pa = &a, *pb = &b[1], *pe = b + 2;
static int **ppa = &pa;
struct node { int value; struct node *next; int *list[2]; };
static struct node second;
static struct node first = {10, &second, {&a, [1] = &b[2]}};
static struct node second = {20, &first, {0, b}};
static struct node *const ends[] = {&first, &second};
static char buffer[10];
static char *cursor = buffer + 3;
static void *self = &self;
static struct { struct { char *where; } in; } nested = {{&buffer[5]}};
static long difference_free = sizeof(buffer);

int main(void)
{
    CHECK(pa == &a && pb == &b[1] && pe == &b[2] && ppa == &pa && *ppa == &a);
    *pa += MYTHREAD;
    *pb += 10 * MYTHREAD;
    ends[1]->value += MYTHREAD;
    *cursor = 'a' + MYTHREAD;
    upc_barrier;
    CHECK_EQ(a, 1 + MYTHREAD);
    CHECK_EQ(b[1], 3 + 10 * MYTHREAD);
    CHECK_EQ(**ppa, 1 + MYTHREAD);
    CHECK_EQ(first.next->value, 20 + MYTHREAD);
    CHECK(first.next->next == &first && ends[0]->next == ends[1]);
    CHECK_EQ(*first.list[0], 1 + MYTHREAD);
    CHECK_EQ(*first.list[1], 4);
    CHECK(second.list[1] == b);
    CHECK_EQ(buffer[3], 'a' + MYTHREAD);
    CHECK(self == (void *)&self);
    CHECK(nested.in.where == &buffer[5]);
    CHECK_EQ(difference_free, 10);
    return check_done();
}
