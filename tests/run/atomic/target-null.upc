// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0506
//@ stderr: the target is null
//@ limit: 10
// Found in debug builds.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_GET, 0);
    upc_atomic_relaxed(d, &old, UPC_ADD, NULL, &one, NULL);
    return 0;
}

/* stdout:
*/
