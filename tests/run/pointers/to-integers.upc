// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared convert to integers; equal pointers give equal integers.
#include "../../check.h"
#include <stdint.h>

shared int a[4 * THREADS];
shared [] char *p;

int main(void)
{
    uintptr_t x = (uintptr_t)&a[1], y = (uintptr_t)(a + 1), z = (uintptr_t)&a[2];
    CHECK(x == y && x != z && x != 0);
    CHECK((uintptr_t)p == 0);
    CHECK((long)&a[0] != 0);
    CHECK((_Bool)&a[0]);
    CHECK(!(_Bool)p);
    int low = (int)(uintptr_t)&a[3];
    CHECK_EQ(low, (int)(uintptr_t)(a + 3));
    return check_done();
}
