// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.4.1p7
// The examples: a fetch-and-increment, and a domain of three operations.
#include "../../check.h"
#include <stdint.h>
#include <upc_atomic.h>

shared uint64_t val = 42;
shared int64_t extreme;

int main(void)
{
    uint64_t oldval;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_INC, 0);
    upc_atomic_relaxed(domain, &oldval, UPC_INC, &val, 0, 0);
    CHECK(oldval >= 42 && oldval < 42 + (uint64_t)THREADS);
    upc_barrier;
    CHECK_EQ(val, 42 + THREADS);
    upc_all_atomicdomain_free(domain);

    domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_MAX | UPC_MIN, 0);
    int64_t mine = MYTHREAD + 1;
    upc_atomic_relaxed(domain, 0, UPC_MAX, &extreme, &mine, 0);
    upc_barrier;
    CHECK_EQ(extreme, THREADS);
    upc_all_atomicdomain_free(domain);
    return check_done();
}
