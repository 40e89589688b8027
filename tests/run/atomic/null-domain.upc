// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -O2
//@ exit: 1
//@ stderr: R0506
//@ stderr: the pointer to the domain is null
//@ limit: 10
// Found in every build.
#include <upc.h>
#include <upc_atomic.h>

shared long x[THREADS];

int main(void)
{
    long one = 1, old;
    (void)one, (void)old;
    upc_atomic_strict(NULL, &old, UPC_ADD, x, &one, NULL);
    return 0;
}

/* stdout:
*/
