// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.5p4
//@ mappings: 2x1 1x2 1x3 2x2
// The object stays valid until every thread has entered upc_all_free.
#include "../../check.h"
#include <unistd.h>

int main(void)
{
    for (int round = 0; round < 10; round++) {
        shared int *p = upc_all_alloc(10 * THREADS, sizeof(int));
        for (int i = MYTHREAD; i < 10 * THREADS; i += THREADS)
            p[i] = round + i;
        upc_barrier;
        if (MYTHREAD == THREADS - 1) {
            usleep(5000);
            for (int i = 0; i < 10 * THREADS; i++)
                CHECK_EQ(p[i], round + i);
        }
        upc_all_free(p);
        shared [] int *again = upc_alloc(10 * sizeof(int));
        for (int i = 0; i < 10; i++)
            again[i] = -1;
        upc_free(again);
    }
    return check_done();
}
