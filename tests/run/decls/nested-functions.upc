// SPDX-License-Identifier: BSD-3-Clause
// GNU nested functions that use shared and private variables of the outer one.
#include "../../check.h"

shared int a[4 * THREADS];

int main(void)
{
    int sum = 0;
    int add(int i)
    {
        a[i] = i;
        sum += a[i];
        return sum;
    }
    for (int i = MYTHREAD; i < 4 * THREADS; i += THREADS)
        add(i);
    CHECK_EQ(sum, 4 * MYTHREAD + 6 * THREADS);
    return check_done();
}
