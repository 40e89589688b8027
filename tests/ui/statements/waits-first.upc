// SPDX-License-Identifier: BSD-3-Clause
// A barrier that ends before it begins.
#include <stdio.h>
#include <upc.h>
shared int a[THREADS];

int main(void) {
    a[MYTHREAD] = 1;
    printf("%d\n", MYTHREAD);
    upc_wait; //~ warning W0511
    upc_notify;
    return 0;
}
