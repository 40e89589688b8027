// SPDX-License-Identifier: BSD-3-Clause
// Structures with const members and const elements, initialised and copied as wholes.
#include "../../check.h"

struct fixed { const int id; int free; };
shared struct fixed one = {1, 2};
shared [] struct fixed few[3] = {{3, 4}, {5, 6}};
shared const struct fixed constant = {7, 8};
shared [] const int numbers[3] = {9, 10, 11};
static struct fixed mine = {12, 13};

int main(void)
{
    struct fixed copy = few[1];
    one.free++;
    CHECK_EQ(one.id * 10, 10);
    CHECK_EQ(copy.id * 10 + copy.free, 56);
    CHECK_EQ(constant.id + constant.free + numbers[2], 26);
    CHECK_EQ(mine.id + mine.free, 25);
    return check_done();
}
