// SPDX-License-Identifier: BSD-3-Clause
// _Bool holds 0 and 1 whatever is stored.
#include "../../check.h"

shared _Bool flag[4 * THREADS];
shared [3] struct { _Bool b; char c; } s[4 * THREADS];

int main(void)
{
    for (int e = MYTHREAD; e < 4 * THREADS; e += THREADS) {
        flag[e] = 256;
        CHECK_EQ(flag[e], 1);
        flag[e] = 0.25;
        CHECK_EQ(flag[e], 1);
        flag[e] = &flag[e];
        CHECK_EQ(flag[e], 1);
        flag[e] = !flag[e];
        CHECK_EQ(flag[e], 0);
        flag[e] |= 2;
        CHECK_EQ(flag[e], 1);
        CHECK_EQ(flag[e]++, 1);
        CHECK_EQ(flag[e], 1);
        flag[e] ^= 1;
        CHECK_EQ(flag[e], 0);
        s[e].b = 7;
        s[e].c = 'c';
        CHECK(s[e].b == 1 && s[e].c == 'c');
    }
    return check_done();
}
