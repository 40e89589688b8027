// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.2p2
// In the dynamic environment __UPC_DYNAMIC_THREADS__ is 1 and THREADS is no macro.
#include "../../check.h"

#if __UPC_DYNAMIC_THREADS__ != 1
#error __UPC_DYNAMIC_THREADS__
#endif
#ifdef __UPC_STATIC_THREADS__
#error __UPC_STATIC_THREADS__
#endif
#ifdef THREADS
#error THREADS
#endif

int main(void)
{
    return check_done();
}
