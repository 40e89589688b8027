// SPDX-License-Identifier: BSD-3-Clause
// main in plain C is not for UPC; but UPC functions in a second file called through C are.
//@ with: bridge.c bridge-2.upc
#include "../../check.h"

extern int bridge(int x);

int main(void)
{
    CHECK_EQ(bridge(5), 5 + 100 * MYTHREAD + 10000 * THREADS);
    return check_done();
}
