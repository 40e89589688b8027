// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ warn: W0431
//@ exit: 1
//@ stderr: R0309
//@ stderr: src has phase 3, but blk_size is 2
// The phase of src must fit blk_size.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    shared [4] int *src = (shared [4] int *)a + 3;
    upc_all_reduceI(b, src, UPC_ADD, 4, 2, NULL, 0);
    return 0;
}
