// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p3
// With indefinite block size arithmetic is C's: the thread stays, the phase is 0.
#include "../../check.h"

enum { N = 100 };
shared [] int a[N];
shared [] char *shared parts[THREADS];

int main(void)
{
    for (int i = 0; i < N; i++) {
        CHECK_EQ(upc_threadof(&a[i]), 0);
        CHECK_EQ(upc_phaseof(&a[i]), 0);
        CHECK_EQ(&a[i] - a, i);
        CHECK_EQ(upc_addrfield(&a[i]) - upc_addrfield(a), i * sizeof(int));
    }
    shared [] int *end = a + N;
    CHECK(end - 1 == &a[N - 1]);
    CHECK(end + -N == a);

    parts[MYTHREAD] = upc_alloc(64);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        shared [] char *p = parts[t];
        for (int i = 0; i < 64; i++, p++) {
            CHECK_EQ(upc_threadof(p), t);
            CHECK_EQ(upc_phaseof(p), 0);
        }
    }
    upc_barrier;
    upc_free(parts[MYTHREAD]);
    return check_done();
}
