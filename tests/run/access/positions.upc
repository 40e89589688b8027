// SPDX-License-Identifier: BSD-3-Clause
// A shared value in every place where C takes an expression.
#include "../../check.h"

shared int a[8 * THREADS];
shared [4] int b[8 * THREADS];
shared char c[THREADS];

static int add(int x, int y)
{
    return x + y;
}

static int from_return(int e)
{
    return a[e];
}

static void loops(int e)
{
    int turns = 0;
    a[e] = 3;
    while (a[e]--)
        turns++;
    CHECK_EQ(turns, 3);
    CHECK_EQ(a[e], -1);
    for (a[e] = 0; a[e] < 5; a[e] += 2)
        turns++;
    CHECK_EQ(turns, 6);
    do
        b[e] = a[e];
    while (a[e]-- > 2);
    CHECK_EQ(b[e], 2);
    if (a[e])
        turns = a[e] ? a[e] : 0;
    else
        turns = -1;
    CHECK_EQ(turns, 1);
}

static void initialisers(int e)
{
    struct { int x, y[2]; } s = {a[e], {b[e], a[e] + 1}}, t = {.y = {[1] = b[e]}};
    int array[] = {a[e], b[e], a[e]}, nested[2][2] = {{a[e]}, {b[e], a[e]}};
    int variable[a[e]];
    CHECK_EQ(s.x + s.y[0] + s.y[1], a[e] + b[e] + a[e] + 1);
    CHECK_EQ(t.y[1], b[e]);
    CHECK_EQ(array[2] + array[1], a[e] + b[e]);
    CHECK_EQ(nested[1][1] + nested[0][1], a[e]);
    CHECK_EQ(sizeof variable, a[e] * sizeof(int));
}

int main(void)
{
    static const int table[] = {10, 11, 12, 13, 14, 15, 16, 17};
    for (int e = MYTHREAD; e < 8 * THREADS; e += THREADS) {
        a[e] = 5;
        b[e] = 2;
        CHECK_EQ(add(a[e], b[e]), 7);
        CHECK_EQ(add(a[e]++, b[e]++), 7);
        CHECK_EQ(from_return(e), 6);
        CHECK_EQ(table[a[e]], 16);
        CHECK_EQ(b[e][table], 13);
        CHECK_EQ((a[e], b[e]), 3);
        CHECK_EQ(a[e] == 6 ? b[e] : a[e], 3);
        CHECK_EQ((a[e] = b[e] = 7), 7);
        CHECK_EQ(a[e] += b[e] -= 2, 12);
        CHECK_EQ(a[e] - b[e] * a[e] / b[e], 0);
        CHECK_EQ(sizeof a[e], sizeof(int));
        CHECK_EQ((char)(a[e] * 100), (char)1200);
        CHECK_EQ(*&a[e], 12);
        CHECK_EQ((&a[e])[0], 12);
        CHECK_EQ(((a[e])), 12);
        CHECK_EQ(_Alignof(int) ? a[e] : 0, 12);
        switch (a[e]) {
        case 12:
            b[e] = -1;
            break;
        default:
            b[e] = -2;
        }
        CHECK_EQ(b[e], -1);
        a[e], b[e] = 4;
        CHECK_EQ(!a[e] + !!b[e], 1);
        loops(e);
        a[e] = 3;
        initialisers(e);
    }
    c[MYTHREAD] = 'x';
    printf("%s", c[MYTHREAD] == 'x' ? "" : "wrong\n");
    return check_done();
}
