// SPDX-License-Identifier: BSD-3-Clause
// Shared objects whose initialisers are addresses of shared objects.
#include "../../check.h"

shared int x = 4;
shared [3] int list[6 * THREADS];
shared int *shared px = &x;
shared [3] int *shared p2 = &list[2];
shared struct { int n; shared [3] int *p; shared int *q; } s = {7, list + 1, &x};
shared [] struct { shared int *p; int n; } entries[2] = {{&x, 1}, {.n = 2}};
shared int *shared *shared ppx = &px;

int main(void)
{
    CHECK_EQ(*px + **ppx, 8);
    CHECK_EQ(p2 - list, 2);
    CHECK_EQ(upc_phaseof(p2), 2);
    CHECK_EQ(s.p - list, 1);
    CHECK_EQ(*s.q + s.n, 11);
    CHECK_EQ(*entries[0].p + entries[0].n + entries[1].n, 7);
    CHECK(entries[1].p == NULL);
    return check_done();
}
