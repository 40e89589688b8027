// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1
//@ flags: -network=smp
//@ exit: 1
//@ stderr: R0111
//@ stderr: one-host-only.upc was compiled for one host
// Plain accesses could not reach the other host.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    printf("started\n");
    return 0;
}
/* stdout:
*/
