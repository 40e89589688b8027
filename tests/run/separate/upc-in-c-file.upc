// SPDX-License-Identifier: BSD-3-Clause
// A file named .c that uses UPC is UPC.
//@ with: shared-things.c
#include "../../check.h"

extern shared int things[THREADS];
extern int count_things(void);

int main(void)
{
    things[MYTHREAD] = 2;
    upc_barrier;
    CHECK_EQ(count_things(), 2 * THREADS);
    return check_done();
}
