// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:2x2 4:4x1
// break, continue, goto and return inside the body, of inner loops, switches and functions.
#include "../../check.h"

static int first_multiple(int of, int from)
{
    for (int i = from;; i++)
        if (i % of == 0)
            return i;
}

int main(void)
{
    int sum = 0, found = 0;
    upc_forall(int i = 1; i <= 4 * THREADS; i++; i) {
        for (int k = 0; k < 10; k++) {
            if (k == 3)
                break;
            sum++;
        }
        switch (i % 3) {
        case 0:
            continue;
        case 1:
            break;
        default:
            goto skip;
        }
        found += first_multiple(7, i) % 7 == 0;
    skip:
        while (1)
            break;
        found++;
    }
    int expected = 0;
    for (int i = 1; i <= 4 * THREADS; i++)
        if (i % THREADS == MYTHREAD)
            expected += i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : 1;
    CHECK_EQ(sum, 12);
    CHECK_EQ(found, expected);
    return check_done();
}
