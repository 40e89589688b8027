// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.4p2
// What is freed is used again: far more is allocated in total than any machine has.
//@ mappings: 1x1 2x1 1x2
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 20000; i++) {
        shared [] char *p = upc_alloc((size_t)64 << 20);
        CHECK(p != NULL);
        p[i] = 1;
        upc_free(p);
    }
    return check_done();
}
