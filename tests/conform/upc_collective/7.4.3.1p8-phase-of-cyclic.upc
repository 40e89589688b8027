// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ warn: W0431
//@ exit: 1
//@ stderr: R0309
//@ stderr: src has phase 1, but blk_size is 1
// An array of blocks is not to be reduced as if it were cyclic.
#include <upc.h>
#include <upc_collective.h>

static shared [4] int a[4 * THREADS];
static shared int sum;

int main(void)
{
    upc_all_reduceI(&sum, &a[1], UPC_ADD, 3, 1, NULL, 0);
    return 0;
}
