// SPDX-License-Identifier: BSD-3-Clause
// Shared objects of enumerated types.
#include "../../check.h"

enum color { RED, GREEN = 5, BLUE };
typedef enum { SMALL = -1, LARGE = 1 } size;
shared enum color colors[3 * THREADS];
shared [2] size sizes[3 * THREADS];

int main(void)
{
    for (int e = MYTHREAD; e < 3 * THREADS; e += THREADS) {
        colors[e] = GREEN;
        colors[e]++;
        sizes[e] = e % 2 ? SMALL : LARGE;
        switch (colors[e]) {
        case BLUE:
            break;
        default:
            CHECK(!"BLUE");
        }
        CHECK_EQ(sizes[e], e % 2 ? -1 : 1);
        CHECK_EQ(sizes[e] == SMALL, e % 2);
    }
    return check_done();
}
