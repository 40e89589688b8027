// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations that do not fit their domains.
#include <stdint.h>
#include <upc.h>
#include <upc_atomic.h>
shared int n;
shared unsigned u;
shared long l;
shared double d;
shared [] int *shared where;
struct pair { long first, second; };
shared struct pair pair;
upc_atomicdomain_t *ints, *longs, *doubles, *pointers, *either, *of_others, *table[2];
extern upc_atomicdomain_t *elsewhere;

void make(int is_long) {
    ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
    longs = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_CSWAP | UPC_MAX, 0);
    doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    pointers = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET, 0);
    if (is_long) either = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    else either = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    table[0] = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
}

void use(upc_atomicdomain_t *given) {
    int one = 1, old;
    long many = 5;
    double half = .5;
    shared [] int *p;
    upc_atomic_relaxed(ints, NULL, UPC_ADD, &l, &one, NULL); //~ warning W0434
    upc_atomic_strict(ints, &many, UPC_GET, &n, NULL, NULL); //~ warning W0434
    upc_atomic_relaxed(longs, NULL, UPC_ADD, &l, &one, NULL); //~ warning W0434
    upc_atomic_relaxed(longs, NULL, UPC_MIN, &l, &many, NULL); //~ warning W0434
    upc_atomic_relaxed(doubles, NULL, UPC_ADD, &l, &half, 0); //~ warning W0434
    upc_atomic_relaxed(pointers, &many, UPC_GET, &where, NULL, NULL); //~ warning W0434
    upc_atomicdomain_t *own = upc_all_atomicdomain_alloc(UPC_UINT, UPC_INC, 0);
    upc_atomic_relaxed(own, NULL, UPC_INC, &d, NULL, NULL); //~ warning W0434

    upc_atomic_relaxed(ints, &old, UPC_ADD, &u, &one, NULL);
    upc_atomic_relaxed(longs, &many, UPC_CSWAP, &l, &many, &many);
    upc_atomic_relaxed(longs, &many, UPC_MAX, &pair, &many, 0);
    upc_atomic_relaxed(longs, &many, UPC_MAX, (shared void *)&n, &many, 0);
    upc_atomic_relaxed(doubles, NULL, UPC_ADD, &d, &half, NULL);
    upc_atomic_relaxed(pointers, &p, UPC_GET, &where, NULL, NULL);
    upc_atomic_relaxed(either, NULL, UPC_ADD, &n, &one, NULL);
    upc_atomic_relaxed(given, NULL, UPC_ADD, &n, &one, NULL);
    upc_atomic_relaxed(of_others, NULL, UPC_ADD, &n, &one, NULL);
    upc_atomic_relaxed(elsewhere, NULL, UPC_ADD, &n, &one, NULL);
    upc_atomic_relaxed(table[0], NULL, UPC_ADD, &n, &one, NULL);
    upc_all_atomicdomain_free(own);
    own = NULL;
}
