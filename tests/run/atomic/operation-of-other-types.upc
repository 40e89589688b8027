// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -O2
//@ exit: 1
//@ stderr: R0506
//@ stderr: UPC_DOUBLE has no operation UPC_XOR
//@ limit: 10
// Bitwise operations are for integers.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_XOR, 0);
    return 0;
}

/* stdout:
*/
