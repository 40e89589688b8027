// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.2p3
// Keywords are keywords in phase 7 only: macros may take, make and be named like them.
#include "../../check.h"

#define NAME(x) #x
#define SYNC upc_barrier
#define GLOBAL shared [] int
#define GLUE(a, b) a##b

GLOBAL table[8];
GLUE(sha, red) int counter;

int main(void)
{
    CHECK(strcmp(NAME(shared), "shared") == 0);
    CHECK(strcmp(NAME(upc_fence), "upc_fence") == 0);
    if (MYTHREAD == 0) {
        table[3] = 5;
        counter = 6;
    }
    SYNC;
    CHECK_EQ(table[3], 5);
    GLUE(upc_, fence);
    CHECK_EQ(counter, 6);
    return check_done();
}
