// SPDX-License-Identifier: BSD-3-Clause
// Relaxed writes before a strict operation are seen by whoever has seen what it wrote, whichever
// operation wrote and read it.
#include "../../check.h"
#include <upc_atomic.h>
#include "inputs/types.h"

enum { N = 600 };
relaxed shared [] int data[4];
shared int flag, taken;

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, ACCESSORS | NUMERIC, 0);
    for (int i = 1; i <= N && THREADS > 1; i++) {
        int before = i - 1, seen = 0, zero = 0;
        if (MYTHREAD == 0) {
            for (int k = 0; k < 4; k++)
                data[k] = i * (k + 1);
            switch (i % 4) {
            case 0: upc_atomic_strict(d, NULL, UPC_SET, &flag, &i, NULL); break;
            case 1: upc_atomic_strict(d, NULL, UPC_INC, &flag, NULL, NULL); break;
            case 2: upc_atomic_strict(d, NULL, UPC_CSWAP, &flag, &before, &i); break;
            default: upc_atomic_strict(d, NULL, UPC_MAX, &flag, &i, NULL); break;
            }
            while (upc_atomic_strict(d, &seen, UPC_GET, &taken, NULL, NULL), seen != i)
                sched_yield();
        } else if (MYTHREAD == THREADS - 1) {
            if (i % 2)
                while (upc_atomic_strict(d, &seen, UPC_GET, &flag, NULL, NULL), seen != i)
                    sched_yield();
            else
                while (upc_atomic_strict(d, &seen, UPC_ADD, &flag, &zero, NULL), seen != i)
                    sched_yield();
            for (int k = 3; k >= 0; k--)
                CHECK_EQ(data[k], i * (k + 1));
            upc_atomic_strict(d, NULL, UPC_SET, &taken, &i, NULL);
        }
    }
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return check_done();
}
