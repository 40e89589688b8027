// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.5p2 7.2.2.5p3
// upc_all_free takes the same pointer from all threads, null too.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 50; i++) {
        shared void *p = upc_all_alloc(THREADS, 4096);
        CHECK(p != NULL);
        upc_all_free(p);
        upc_all_free(NULL);
    }
    return check_done();
}
