// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.5p14
//@ mappings: 2x1 1x2
// Example 12: RW(x,1) notify RR(y,0) beside RW(y,1) notify RR(x,0) is disallowed.
#include "inputs/litmus.h"

enum { N = 20000 };
relaxed shared [] int x[N];
relaxed shared [] int y[N];
shared [N] int seen[N * THREADS];

int main(void)
{
    litmus_spread();
    for (int i = 0; i < N; i++) {
        if (MYTHREAD == 0) {
            x[i] = 1;
            upc_notify;
            seen[i] = y[i];
        } else {
            y[i] = 1;
            upc_notify;
            seen[N + i] = x[i];
        }
        upc_wait;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++)
            CHECK(seen[i] || seen[N + i]);
    return check_done();
}
