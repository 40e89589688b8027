// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.3p1
// UPC_MAX_BLOCK_SIZE is a constant for #if and the largest block size there is.
#include "../../check.h"

#if UPC_MAX_BLOCK_SIZE < 1
#error UPC_MAX_BLOCK_SIZE
#endif
#ifndef UPC_MAX_BLOCK_SIZE
#error not a macro
#endif

_Static_assert(UPC_MAX_BLOCK_SIZE >= 1, "constant");
typedef shared [UPC_MAX_BLOCK_SIZE] char *biggest;

int main(void)
{
    biggest p = 0;
    CHECK(upc_blocksizeof(*p) == UPC_MAX_BLOCK_SIZE);
    return check_done();
}
