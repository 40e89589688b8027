// SPDX-License-Identifier: BSD-3-Clause
// Index and pointer expressions of compound assignments are evaluated once.
#include "../../check.h"

shared [3] int a[9 * THREADS];
shared [3] struct { int x; short s[4]; unsigned bits : 5; } r[9 * THREADS];
static int calls;

static int index_of(int e)
{
    calls++;
    return e;
}

static shared [3] int *place(int e)
{
    calls++;
    return &a[e];
}

int main(void)
{
    int base = 9 * MYTHREAD, k = base;
    a[k++] = 1;
    a[k++] += 2;
    a[k]++;
    ++a[k++];
    CHECK_EQ(k, base + 3);
    CHECK_EQ(a[base] * 100 + a[base + 1] * 10 + a[base + 2], 122);
    a[index_of(base)] *= 5;
    a[index_of(base)]--;
    *place(base) <<= 2;
    (*place(base))++;
    place(base)[0] += 3;
    CHECK_EQ(calls, 5);
    CHECK_EQ(a[base], 20);
    shared [3] int *p = &a[base];
    *p++ = 7;
    *p++ += 8;
    *--p -= 1;
    *++p = a[base];
    CHECK_EQ(p - &a[base], 2);
    CHECK_EQ(a[base] * 10000 + a[base + 1] * 100 + a[base + 2], 70907);
    k = base;
    r[k++].x += 4;
    r[k++].s[2] -= 4;
    r[k++].bits |= 17;
    CHECK_EQ(k, base + 3);
    CHECK_EQ(r[base].x + r[base + 1].s[2] + r[base + 2].bits, 17);
    k = 0;
    r[base + 3].s[k++]++;
    r[base + 3].s[k++] ^= 6;
    CHECK_EQ(r[base + 3].s[0] * 10 + r[base + 3].s[1], 16);
    CHECK_EQ(k, 2);
    return check_done();
}
