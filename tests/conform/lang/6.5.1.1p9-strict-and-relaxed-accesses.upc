// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p9
// Strict and relaxed objects hold the same values; only their order towards others differs.
#include "../../check.h"

strict shared int s[2 * THREADS];
relaxed shared int r[2 * THREADS];
strict shared [2] double sd[2 * THREADS];
strict shared struct { int a; char c[20]; } record;

int main(void)
{
    s[MYTHREAD] = 1;
    r[MYTHREAD] = 2;
    s[MYTHREAD] += 10;
    r[MYTHREAD]++;
    ++s[MYTHREAD];
    sd[MYTHREAD] = s[MYTHREAD]-- / 4.0;
    if (MYTHREAD == 0)
        record.c[19] = 'c';
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(s[t], 11);
        CHECK_EQ(r[t], 3);
        CHECK(sd[t] == 3.0);
    }
    CHECK_EQ(record.c[19], 'c');
    return check_done();
}
