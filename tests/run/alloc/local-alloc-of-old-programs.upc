// SPDX-License-Identifier: BSD-3-Clause
// upc_local_alloc, gone from UPC 1.3, still serves old programs.
#include "../../check.h"

int main(void)
{
    shared [] int *p = upc_local_alloc(10, sizeof(int));
    CHECK(p != NULL);
    CHECK_EQ(upc_threadof(p), MYTHREAD);
    for (int i = 0; i < 10; i++)
        p[i] = i;
    CHECK_EQ(((int *)p)[9], 9);
    upc_free(p);
    return check_done();
}
