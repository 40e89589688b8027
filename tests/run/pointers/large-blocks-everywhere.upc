// SPDX-License-Identifier: BSD-3-Clause
// Pointers with large blocks in structures, arrays, parameters, results and conditions.
#include "../../check.h"

enum { B = 400000 };
typedef shared [B] int *big;
struct holder { int before; big p; int after; };
shared [B] int a[B * THREADS];
shared struct holder s;
big list[3];

static big step(big p, long n)
{
    return p ? p + n : 0;
}

int main(void)
{
    struct holder h = {1, &a[300000], 2}, copy = h;
    CHECK_EQ(copy.p - a, 300000);
    CHECK_EQ(copy.before + copy.after, 3);
    list[1] = step(copy.p, -299999);
    CHECK_EQ(list[1] - a, 1);
    CHECK(list[0] == NULL && !list[2] && step(0, 5) == 0);
    if (MYTHREAD == 0) {
        s = h;
        s.p -= 299990;
        s.p++;
    }
    upc_barrier;
    CHECK_EQ(s.p - a, 11);
    CHECK_EQ(s.before + s.after, 3);
    CHECK((MYTHREAD < 0 ? list[0] : h.p) == &a[300000]);
    CHECK((shared [] int *)h.p == (shared [] int *)&a[300000]);
    int *local = MYTHREAD == 0 ? (int *)&a[399999] : (int *)&a[(size_t)B * MYTHREAD];
    *local = 5 + MYTHREAD;
    upc_barrier;
    for (int t = 1; t < THREADS; t++)
        CHECK_EQ(a[(size_t)B * t], 5 + t);
    CHECK_EQ(a[399999], 5);
    return check_done();
}
