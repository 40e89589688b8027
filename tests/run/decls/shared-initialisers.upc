// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Shared objects with initialisers of every kind that C has.
#include "../../check.h"

shared char c = 'c';
shared [] int list[5] = {1, 2, [4] = 5};
shared [] char text[] = "shared text";
shared [] struct { int x, y[2]; const char *unused; } records[2] = {{1, {2, 3}}, {.y[1] = 4}};
static int private_target = 6;
shared double computed = 3 * 4 / 5.0 + sizeof(int);
shared struct { unsigned a : 3, b : 7; } bits = {5, 100};
shared union { int i; char b[4]; } u = {.b = {1, 0, 0, 0}};
shared [] int grid[2][3] = {{1, 2}, {4, 5, 6}};
shared enum { ONE = 1, TWO } choice = TWO;

int main(void)
{
    CHECK_EQ(c, 'c');
    CHECK_EQ(list[0] + list[1] + list[2] + list[3] + list[4], 8);
    CHECK_EQ(sizeof text, 12);
    CHECK_EQ(text[10], 't');
    CHECK_EQ(records[0].y[1] + records[1].y[1] + records[1].x, 7);
    CHECK(computed == 12 / 5.0 + 4);
    CHECK_EQ(bits.a * 1000 + bits.b, 5100);
    CHECK_EQ(u.i, 1);
    CHECK_EQ(grid[1][2] + grid[0][2], 6);
    CHECK_EQ(choice, 2);
    CHECK_EQ(private_target, 6);
    return check_done();
}
