// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.2p2
//@ static-threads: 3
//@ mappings: 3x1 1x3
// In the static environment __UPC_STATIC_THREADS__ is 1 and THREADS is a macro.
#include "../../check.h"

#if __UPC_STATIC_THREADS__ != 1
#error __UPC_STATIC_THREADS__
#endif
#ifdef __UPC_DYNAMIC_THREADS__
#error __UPC_DYNAMIC_THREADS__
#endif
#ifndef THREADS
#error THREADS
#endif
#if THREADS + 1 != 4
#error THREADS
#endif

int main(void)
{
    CHECK_EQ(THREADS, 3);
    return check_done();
}
