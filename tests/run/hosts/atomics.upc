// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 2:2x1 3:5x1 2:2x2
// Atomic operations on objects of all threads, by all threads at once.
#include <bupc_extensions.h>
#include <upc.h>
#include <upc_atomic.h>
#include "expect.h"

enum { ROUNDS = 1000 };
static shared long counters[THREADS];
static shared double sum, zero;
static upc_atomicdomain_t *longs, *doubles;

static void many_at_once(void)
{
    long one = 1, old, total = 0;
    double half = 0.5, result;
    for (int i = 0; i < ROUNDS; i++) {
        upc_atomic_relaxed(longs, NULL, UPC_ADD, &counters[i % THREADS], &one, NULL);
        upc_atomic_relaxed(longs, &old, UPC_INC, &counters[(i + 1) % THREADS], NULL, NULL);
        bupc_atomicL_fetchadd_relaxed(&counters[i % THREADS], 1);
        upc_atomic_strict(doubles, NULL, UPC_ADD, &sum, &half, NULL);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        upc_atomic_relaxed(longs, &old, UPC_GET, &counters[t], NULL, NULL);
        total += old;
    }
    upc_atomic_strict(doubles, &result, UPC_GET, &sum, NULL, NULL);
    expect("counters", total, 3L * ROUNDS * THREADS);
    expect("sum", (long)result, ROUNDS / 2 * THREADS);
    upc_barrier;
}

/* Zeros are equal whatever their sign. */
static void by_value(void)
{
    double negative = -0.0, positive = 0.0, seven = 7, result;
    if (MYTHREAD == THREADS - 1) {
        upc_memput(&zero, &positive, sizeof positive);
        upc_atomic_strict(doubles, &result, UPC_CSWAP, &zero, &negative, &seven);
        upc_atomic_strict(doubles, &result, UPC_GET, &zero, NULL, NULL);
        expect("swapped", (long)result, 7);
    }
}

static void by_bits(void)
{
    shared long *next = &counters[(MYTHREAD + 1) % THREADS];
    long old = bupc_atomicL_mswap_strict(next, 0xff, 0x12);
    expect("mswap", bupc_atomicL_read_strict(next), (old & ~0xffl) | 0x12);
    old = bupc_atomicL_fetchxor_relaxed(next, 0xf0);
    expect("fetchxor", bupc_atomicL_cswap_relaxed(next, old ^ 0xf0, 5), old ^ 0xf0);
    expect("cswap", bupc_atomicL_read_relaxed(next), 5);
}

int main(void)
{
    longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_GET, 0);
    doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_GET | UPC_CSWAP, 0);
    many_at_once();
    by_value();
    by_bits();
    upc_all_atomicdomain_free(longs);
    upc_all_atomicdomain_free(doubles);
    return done();
}
