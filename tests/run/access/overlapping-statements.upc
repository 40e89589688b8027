// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2 -Wall -Wdeclaration-after-statement -Werror
//@ mappings: 1x1 3x1 2x2
// Reads of several statements, which may be under way at the same time, and those that need what
// the ones before them read or wrote.
#include "../../check.h"
#include <upc_relaxed.h>

struct node {
    shared [] struct node *next;
    int value;
    short small;
    double real;
};

static shared [] struct node *shared heads[THREADS];
static shared int numbers[8 * THREADS];
static strict shared int ready;

static int list(shared [] struct node *p)
{
    int s = 0;
    while (p) {
        s = 3 * s + p->value;
        p = p->next;
    }
    return s;
}

static double mixed(shared [] struct node *p, shared int *q, int i)
{
    double real = p->real, other;
    short small = p->small;
    int n = 7;
    shared [] struct node *next = p->next;
    other = q[i] - 2 * next->real;
    n += (int)q[i + 1];
    return real + 10 * small + 100 * n + 1000 * other;
}

/* Each needs what the one before it has found. */
static int chained(shared int *q)
{
    int i = q[0];
    int j = q[i];
    i = q[j];
    j = q[i];
    return j;
}

static int through_a_pointer(shared int *q)
{
    int i = 1, *p = &i, a, b;
    i = q[3];
    a = q[*p];
    b = q[i];
    return a == b ? a : -1;
}

static int after_writes(shared int *q)
{
    int a = q[0], b, c;
    q[0] = a + 5;
    b = q[0];
    ready = 1;
    c = q[0];
    q[0] = a;
    return b + c - 2 * a;
}

static int entered_late(shared int *q, int how)
{
    int a = 0, b = 0;
    switch (how) {
    case 0:
        a = q[1];
        b = q[2];
        break;
    default:
        a = q[2];
        goto middle;
    }
    a += q[1];
middle:
    b += q[2];
    return 10 * a + b;
}

static int in_an_expression(shared int *q)
{
    int a, b;
    return ({
        a = q[1];
        b = q[2];
        a + b + q[3];
    });
}

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    shared [] struct node *mine = upc_alloc(5 * sizeof *mine);
    shared int *q = numbers;
    for (int i = 0; i < 5; i++) {
        mine[i].value = MYTHREAD + i;
        mine[i].small = (short)-i;
        mine[i].real = 0.5 * i;
        mine[i].next = i < 4 ? mine + i + 1 : NULL;
    }
    heads[MYTHREAD] = mine;
    if (MYTHREAD == 0)
        for (int i = 0; i < 8; i++)
            numbers[i] = (i + 3) % 8;
    upc_barrier;
    CHECK_EQ(list(heads[next]), next * 121 + 0 * 81 + 1 * 27 + 2 * 9 + 3 * 3 + 4);
    CHECK(mixed(heads[next], q, 2) == 0 + 0 + 100 * (7 + 6) + 1000 * (5 - 2 * 0.5));
    CHECK_EQ(chained(q), 4);
    CHECK_EQ(through_a_pointer(q), 1);
    CHECK_EQ(entered_late(q, 0), 90);
    CHECK_EQ(entered_late(q, 1), 55);
    CHECK_EQ(in_an_expression(q), 4 + 5 + 6);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        CHECK_EQ(after_writes(q), 10);
    upc_barrier;
    return check_done();
}
