// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.3.1p2 7.6.4.1p2 7.6.4.1p3 7.6.4.1p5 7.6.4.1p6 7.6.4.2p2 7.6.4.2p3
// Every thread gets a pointer to the same domain, which is a shared object; others differ from it.
// Hints change nothing, and a null pointer may be freed.
#include "../../check.h"
#include <upc_atomic.h>

upc_atomicdomain_t *shared domains[THREADS];
shared int x[THREADS];

static void use(upc_atomicdomain_t *domain)
{
    int one = 1, before = -1;
    upc_barrier;
    x[MYTHREAD] = 5;
    upc_barrier;
    int peer = (MYTHREAD + 1) % THREADS;
    upc_atomic_relaxed(domain, &before, UPC_ADD, &x[peer], &one, 0);
    CHECK_EQ(before, 5);
    upc_atomic_relaxed(domain, &before, UPC_GET, &x[peer], 0, 0);
    CHECK_EQ(before, 6);
}

int main(void)
{
    static const upc_atomichint_t hints[] = {UPC_ATOMIC_HINT_DEFAULT, UPC_ATOMIC_HINT_LATENCY,
                                             UPC_ATOMIC_HINT_THROUGHPUT};
    for (int i = 0; i < 3; i++) {
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET,
                                                                hints[i]);
        upc_atomicdomain_t *other = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET,
                                                               hints[i]);
        CHECK(domain && other && domain != other);
        domains[MYTHREAD] = domain;
        upc_barrier;
        CHECK(domains[(MYTHREAD + 1) % THREADS] == domain);
        use(domain);
        use(domains[(MYTHREAD + 1) % THREADS]);
        upc_all_atomicdomain_free(domain);
        use(other);
        upc_all_atomicdomain_free(other);
    }
    upc_all_atomicdomain_free(NULL);
    upc_all_atomicdomain_free(upc_all_atomicdomain_alloc(UPC_PTS, 0, 0));
    return check_done();
}
