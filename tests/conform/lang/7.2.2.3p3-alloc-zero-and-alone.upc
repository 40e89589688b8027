// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.3p3
// upc_alloc is not collective, and returns null for zero bytes.
#include "../../check.h"

int main(void)
{
    CHECK(upc_alloc(0) == NULL);
    if (MYTHREAD == THREADS - 1)
        for (int i = 1; i < 500; i++) {
            shared [] char *p = upc_alloc(i);
            p[0] = p[i - 1] = 1;
            upc_free(p);
        }
    return check_done();
}
