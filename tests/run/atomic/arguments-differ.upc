// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: upc_all_atomicdomain_alloc: type is
//@ limit: 10
// The arguments are single-valued.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_all_atomicdomain_alloc(MYTHREAD == 2 ? UPC_LONG : UPC_ULONG, UPC_ADD, 0);
    return 0;
}

/* stdout:
*/
