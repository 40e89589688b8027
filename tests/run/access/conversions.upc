// SPDX-License-Identifier: BSD-3-Clause
// Stores convert to the shared object's type, loads from it.
#include "../../check.h"

shared char c[THREADS];
shared unsigned char uc[THREADS];
shared short s[THREADS];
shared unsigned u[THREADS];
shared float f[THREADS];
shared double d[THREADS];
shared long long ll[THREADS];

int main(void)
{
    int me = MYTHREAD;
    CHECK_EQ((c[me] = 300), (char)300);
    CHECK_EQ((uc[me] = -1), 255);
    CHECK_EQ((s[me] = 70000), (short)70000);
    CHECK_EQ((u[me] = -2.0f + 4), 2);
    CHECK((f[me] = 0.1) == 0.1f);
    CHECK((d[me] = f[me]) == 0.1f);
    CHECK_EQ((ll[me] = d[me] = 2.9), 2);
    CHECK_EQ(ll[me] = u[me] = -1, 4294967295LL);
    CHECK_EQ(c[me] = uc[me] = 200, (char)200);
    CHECK_EQ(uc[me] + c[me], 200 + (char)200);
    CHECK_EQ(uc[me] << 4, 3200);
    s[me] = 'A' + c[me];
    CHECK_EQ(s[me], 'A' + (char)200);
    CHECK(u[me] > -1 == 0);
    CHECK((uc[me] += 100) == 44);
    CHECK((f[me] += 16777216) == 16777216.0f);
    return check_done();
}
