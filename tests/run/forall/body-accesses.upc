// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// Bodies that read and write own and other elements: the right ones whatever is optimised.
#include "../../check.h"

enum { N = 16 };
shared int a[N * THREADS], b[N * THREADS], c[N * THREADS];
shared [5] int p[N * THREADS], q[N * THREADS];
shared [*] double s[N * THREADS], t[N * THREADS];

int main(void)
{
    int n = N * THREADS;
    upc_forall(int i = 0; i < n; i++; &a[i]) {
        a[i] = i;
        b[i] = 2 * i;
        c[(i + 1) % n] = -i;
        p[i] = 3 * i;
        q[n - 1 - i] = i;
    }
    upc_barrier;
    upc_forall(int i = 0; i < n; i++; &s[i]) s[i] = t[i] = a[i] + b[(i + 3) % n];
    upc_barrier;
    upc_forall(int i = 1; i < n - 1; i++; &p[i]) p[i] += q[i - 1] + q[i + 1] - a[i];
    upc_forall(int i = 1; i < n - 1; i++; &t[i]) t[i] = (s[i - 1] + s[i] + s[i + 1]) / 4;
    upc_barrier;
    for (int i = 0; i < n; i++) {
        CHECK_EQ(a[i], i);
        CHECK_EQ(c[i], i ? 1 - i : 1 - n);
        CHECK_EQ(q[i], n - 1 - i);
        CHECK(s[i] == i + 2 * ((i + 3) % n));
        if (i > 0 && i < n - 1) {
            CHECK_EQ(p[i], 3 * i + 2 * (n - 1 - i) - i);
            CHECK(t[i] == (s[i - 1] + s[i] + s[i + 1]) / 4);
        }
    }
    return check_done();
}
