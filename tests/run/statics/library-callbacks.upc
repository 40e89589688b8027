// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3
// Callbacks from the C library see the calling thread's statics.
#include "../../check.h"

static int comparisons, descending;
shared int *keys;

static int compare(const void *x, const void *y)
{
    int l = *(const int *)x, r = *(const int *)y;
    comparisons++;
    return descending ? (r > l) - (r < l) : (l > r) - (l < r);
}

int main(void)
{
    int list[50], key = 7;
    for (int i = 0; i < 50; i++)
        list[i] = i * 37 % 50;
    descending = MYTHREAD % 2;
    upc_barrier;
    qsort(list, 50, sizeof *list, compare);
    for (int i = 0; i < 50; i++)
        CHECK_EQ(list[i], descending ? 49 - i : i);
    CHECK(comparisons > 49);
    int *found = bsearch(&key, list, 50, sizeof *list, compare);
    CHECK(found && *found == 7);
    return check_done();
}
