// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -O2
//@ exit: 1
//@ stderr: R0506
//@ stderr: UPC_LONG has no operation UPC_LOGAND
//@ limit: 10
// A logical and is none of 7.6.2p3.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_LOGAND, 0);
    return 0;
}

/* stdout:
*/
