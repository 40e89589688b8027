// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1
//@ exit: 1
//@ stderr: thread 1:
//@ stderr: error[R0705]
//@ stderr: memory of thread 0, which is on another host
#include <upc.h>

static shared int a[THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        *(volatile int *)(int *)&a[0] = 1;
    upc_barrier;
    return 0;
}
