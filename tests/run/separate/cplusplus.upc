// SPDX-License-Identifier: BSD-3-Clause
// A C++ object beside UPC.
//@ with: container.cc
#include "../../check.h"

extern void container_add(int value);
extern int container_sum(void);
shared int total[THREADS];

int main(void)
{
    container_add(1);
    container_add(2);
    upc_barrier;
    CHECK(container_sum() >= 3);
    CHECK_EQ(container_sum() % 3, 0);
    return check_done();
}
