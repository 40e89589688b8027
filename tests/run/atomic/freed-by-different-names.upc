// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: upc_all_atomicdomain_free: ptr is
//@ limit: 10
// The argument is single-valued.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_GET, 0);
    upc_all_atomicdomain_free(MYTHREAD == 1 ? NULL : d);
    return 0;
}

/* stdout:
*/
