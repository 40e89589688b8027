// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p13
// Example 6: what an indefinite pointer reaches is all on the thread it was set to.
#include "../../check.h"

shared [] long *p;
shared [10] long store[10 * THREADS];

int main(void)
{
    for (int t = 0; t < THREADS; t++) {
        p = (shared [] long *)&store[10 * t];
        for (int i = 0; i < 10; i++) {
            CHECK_EQ(upc_threadof(&p[i]), t);
            CHECK((shared void *)&p[i] == &store[10 * t + i]);
        }
    }
    return check_done();
}
