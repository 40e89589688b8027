// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.2p1
// The macros that every UPC implementation defines, in #if.
#include "../../check.h"

#if __UPC__ != 1
#error __UPC__
#endif
#if __UPC_VERSION__ != 201311L
#error __UPC_VERSION__
#endif
#ifndef UPC_MAX_BLOCK_SIZE
#error UPC_MAX_BLOCK_SIZE
#endif

int main(void)
{
    CHECK(_Generic(__UPC_VERSION__, long: 1, default: 0));
    CHECK_EQ(__UPC__, 1);
    return check_done();
}
