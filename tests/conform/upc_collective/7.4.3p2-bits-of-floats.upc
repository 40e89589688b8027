// SPDX-License-Identifier: BSD-3-Clause
//@ exit: 1
//@ stderr: R0309
//@ stderr: op works on bits
// No bitwise operation on floating-point numbers.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];
static shared double d[THREADS];

int main(void)
{
    d[MYTHREAD] = 1;
    upc_all_reduceD(d, d, UPC_XOR, THREADS, 1, NULL, 0);
    return 0;
}
