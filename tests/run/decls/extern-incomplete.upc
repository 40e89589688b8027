// SPDX-License-Identifier: BSD-3-Clause
// A shared array may be declared without its length where it is defined elsewhere in the file.
#include "../../check.h"

extern shared int cyclic[];
extern shared [] char text[];

static int early(int i)
{
    return cyclic[i];
}

shared int cyclic[2 * THREADS];
shared [] char text[6] = "hello";

int main(void)
{
    cyclic[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(early(THREADS - 1), THREADS - 1);
    CHECK_EQ(text[4], 'o');
    return check_done();
}
