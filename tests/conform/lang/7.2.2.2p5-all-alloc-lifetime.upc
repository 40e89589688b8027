// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.2p5
// The object lives until any thread frees it, also while one thread is far ahead.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 200; i++) {
        shared int *p = upc_all_alloc(THREADS, sizeof(int));
        p[MYTHREAD] = i;
        CHECK_EQ(p[MYTHREAD], i);
        if (i % 2) {
            upc_all_free(p);
        } else {
            upc_barrier;
            if (MYTHREAD == i % THREADS)
                upc_free(p);
        }
    }
    return check_done();
}
