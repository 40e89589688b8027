// SPDX-License-Identifier: BSD-3-Clause
// Private statics initialised with addresses of shared objects.
#include "../../check.h"

shared int x;
shared [4] int a[12 * THREADS];
shared struct { int i; double d; } s;
shared int *px = &x;
static shared [4] int *pa = a, *p5 = &a[5], *p7 = a + 7;
shared [] double *pd = &s.d;
shared void *generic = &a[2];
struct { int n; shared int *p; } holder = {3, &x};
shared [4] int *list[] = {a, &a[1], 0, &a[3]};

int main(void)
{
    static shared int *inside = &x;
    CHECK(px == &x && holder.p == &x && inside == &x);
    CHECK(pa == a);
    CHECK_EQ(p5 - a, 5);
    CHECK_EQ(p7 - a, 7);
    CHECK_EQ(upc_phaseof(p7), 3);
    CHECK_EQ(upc_threadof(p5), 1 % THREADS);
    CHECK(pd == &s.d);
    CHECK_EQ(upc_phaseof(generic), 2);
    CHECK_EQ(list[3] - list[1], 2);
    CHECK(list[2] == NULL);
    return check_done();
}
