// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.5p3
// For allocated space the arguments are those of the allocation.
#include "../../check.h"

int main(void)
{
    size_t blocks = 2 * THREADS + 1, bytes = 24;
    shared [24] char *p = upc_all_alloc(blocks, bytes);
    size_t count = 0;
    for (size_t i = 0; i < blocks * bytes; i++)
        count += upc_threadof(&p[i]) == MYTHREAD;
    CHECK_EQ(upc_affinitysize(blocks * bytes, bytes, MYTHREAD), count);
    upc_all_free(p);
    return check_done();
}
