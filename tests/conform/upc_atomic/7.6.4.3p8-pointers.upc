// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.2p3 7.6.4.3p6
// Objects of type shared void *: UPC_CSWAP compares without the phase and stores with it; the old
// value has its own phase.
#include "../../check.h"
#include <upc_atomic.h>
#include "inputs/types.h"

shared [4] int array[4 * THREADS];
shared void *shared pointer[THREADS];

static void test(upc_atomicdomain_t *domain, atomic_function *f)
{
    shared void *shared *p = &pointer[(MYTHREAD + 1) % THREADS];
    shared void *first = &array[4 * MYTHREAD], *third = &array[4 * MYTHREAD + 2], *seen = NULL;
    shared void *other_phase = (shared [] int *)third, *null = NULL;
    CHECK(upc_phaseof(third) == 2 && upc_phaseof(other_phase) == 0 && third == other_phase);

    *p = first;
    f(domain, &seen, UPC_GET, p, NULL, NULL);
    CHECK(seen == first);
    f(domain, &seen, UPC_SET, p, &third, NULL);
    CHECK(seen == first && *p == third && upc_phaseof(*p) == 2);
    f(domain, NULL, UPC_SET, p, &third, NULL);

    seen = NULL;
    f(domain, &seen, UPC_CSWAP, p, &first, &null);
    CHECK(seen == third && upc_phaseof(seen) == 2 && *p == third);
    seen = NULL;
    f(domain, &seen, UPC_CSWAP, p, &other_phase, &other_phase);
    CHECK(seen == third && upc_phaseof(seen) == 2);
    CHECK(*p == third && upc_phaseof(*p) == 0);
    f(domain, NULL, UPC_CSWAP, p, &third, &third);
    CHECK(*p == third && upc_phaseof(*p) == 2);
    f(domain, &seen, UPC_CSWAP, p, &third, &null);
    CHECK(seen == third && *p == NULL);
    f(domain, &seen, UPC_CSWAP, p, &null, &first);
    CHECK(seen == NULL && *p == first);
}

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, ACCESSORS, 0);
    test(domain, orders[0]);
    test(domain, orders[1]);
    upc_all_atomicdomain_free(domain);
    return check_done();
}
