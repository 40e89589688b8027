// SPDX-License-Identifier: BSD-3-Clause
// const and volatile with shared: read like any other; through const pointers too.
#include "../../check.h"

shared const int limit = 40;
shared volatile int counter;
volatile shared int *p;
const struct { shared const int *where; } view = {0};

static int read_all(shared const int *const *list, int n)
{
    int sum = 0;
    while (n--)
        sum += **list++;
    return sum;
}

int main(void)
{
    p = &counter;
    if (MYTHREAD == 0) {
        counter += 2;
        (*p)++;
    }
    upc_barrier;
    shared const int *list[] = {&limit, &limit};
    CHECK_EQ(read_all(list, 2) + *p, 83);
    CHECK(view.where == 0);
    return check_done();
}
