// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.4.2p5
// A domain can be used until the last thread has entered the call that frees it. Freed memory comes
// back: domains do not accumulate.
#include "../../check.h"
#include <upc_atomic.h>

shared int sum[THREADS];

int main(void)
{
    upc_atomicdomain_t *first = NULL;
    for (int i = 0; i < 20; i++) {
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, 0);
        if (i == 0)
            first = domain;
        CHECK(domain == first);
        if (MYTHREAD == THREADS - 1)
            for (int k = 0; k < 100; k++)
                upc_atomic_relaxed(domain, NULL, UPC_INC, &sum[0], NULL, NULL);
        upc_all_atomicdomain_free(domain);
    }
    upc_barrier;
    CHECK_EQ(sum[0], 2000);
    return check_done();
}
