// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.7p1 7.7p2 7.7.2.2p5 7.7.2.2p6 7.7.2.2p7
// __UPC_CASTABLE__ is 1. The header, included twice and first, declares everything; the regions
// are distinct bits of type int, fit for #if, and UPC_CASTABLE_ALL is all of them.
#include <upc_castable.h>
#include <upc_castable.h>
#include "../../check.h"

#if __UPC_CASTABLE__ != 1
#error "__UPC_CASTABLE__ is not 1"
#endif
#if !UPC_CASTABLE_ALL_ALLOC || !UPC_CASTABLE_GLOBAL_ALLOC || !UPC_CASTABLE_ALLOC || \
    !UPC_CASTABLE_STATIC
#error "a region without a bit"
#endif
#if (UPC_CASTABLE_ALL_ALLOC & UPC_CASTABLE_GLOBAL_ALLOC) || \
    ((UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC) & UPC_CASTABLE_ALLOC) || \
    ((UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC) & \
     UPC_CASTABLE_STATIC)
#error "regions share a bit"
#endif
#if UPC_CASTABLE_ALL != (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | \
                         UPC_CASTABLE_STATIC)
#error "UPC_CASTABLE_ALL is not all regions"
#endif

static void *(*cast)(const shared void *) = upc_cast;
static upc_thread_info_t (*info)(size_t) = upc_thread_info;

int main(void)
{
    CHECK(_Generic(UPC_CASTABLE_STATIC, int: 1, default: 0));
    CHECK(_Generic(UPC_CASTABLE_ALL, int: 1, default: 0));
    upc_thread_info_t fields = {.guaranteedCastable = 1, .probablyCastable = 2};
    CHECK(_Generic(fields.guaranteedCastable, int: 1, default: 0));
    CHECK(_Generic(fields.probablyCastable, int: 1, default: 0));
    CHECK(cast && info);
    return check_done();
}
