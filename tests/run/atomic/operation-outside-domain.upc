// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -O2
//@ exit: 1
//@ warn: W0434
//@ stderr: R0506
//@ stderr: UPC_SUB is not among the operations
//@ limit: 10
// Found in every build.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_GET, 0);
    upc_atomic_relaxed(d, &old, UPC_SUB, x, &one, NULL);
    return 0;
}

/* stdout:
*/
