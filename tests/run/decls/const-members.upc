// SPDX-License-Identifier: BSD-3-Clause
//@ not-checked: all threads write the same value
// Structures with const members and const elements, initialised and copied as wholes.
#include "../../check.h"

struct fixed { const int id; int free; };
shared struct fixed one = {1, 2};
shared [] struct fixed few[3] = {{3, 4}, {5, 6}};
shared const struct fixed constant = {7, 8};
shared [] const int numbers[3] = {9, 10, 11};
shared [2] struct fixed blocked[2 * THREADS] = {{14, 15}, {16, 17}};
shared const struct fixed cyclic[2 * THREADS] = {{18, 19}, {20, 21}};
static struct fixed mine = {12, 13};

int main(void)
{
    struct fixed copy = few[1];
    one.free++;
    CHECK_EQ(one.id * 10, 10);
    CHECK_EQ(copy.id * 10 + copy.free, 56);
    CHECK_EQ(constant.id + constant.free + numbers[2], 26);
    CHECK_EQ(mine.id + mine.free, 25);
    CHECK_EQ(blocked[0].id + blocked[1].id, 30);
    CHECK_EQ(cyclic[1].id + cyclic[1].free, 41);
    return check_done();
}
