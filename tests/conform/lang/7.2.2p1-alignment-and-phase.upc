// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2p1
// Allocated space is aligned for any type and its pointer has phase 0.
#include "../../check.h"

#define GOOD(p)                                                                               \
    do {                                                                                      \
        CHECK((p) != NULL);                                                                   \
        CHECK_EQ(upc_phaseof(p), 0);                                                          \
        CHECK_EQ(upc_addrfield(p) % _Alignof(max_align_t), 0);                                \
    } while (0)

int main(void)
{
    for (int i = 1; i < 40; i++) {
        shared void *p = upc_alloc(i), *q = upc_global_alloc(3, i), *r = upc_all_alloc(5, i);
        GOOD(p);
        GOOD(q);
        GOOD(r);
        upc_free(p);
        upc_free(q);
        upc_all_free(r);
    }
    return check_done();
}
