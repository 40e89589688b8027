// SPDX-License-Identifier: BSD-3-Clause
/*
 * upc_atomic_relaxed beside C11's atomics on the same cache line, with domains that come from
 * memory, so that nobody knows their types. `atomic-add` and the others are thread 0's alone while
 * the others wait. `atomic-add-all` is one counter for all threads at once, which the cache line
 * limits; the figure is thread 0's.
 *
 * The reference stores what it fetched, as *fetch_ptr does. In `atomic-add-register` both keep it in
 * a register: there is not a single store between two locked instructions, which wait for stores.
 */
#include "bench.h"
#include <stdbool.h>
#include <stdint.h>
#include <upc_atomic.h>
#include <upc_relaxed.h>

#define TIMES 20000
#define ROUNDS 100

typedef void reference(void *counter, int64_t *fetched, int64_t n);
reference ref_add, ref_add_register, ref_xor, ref_cswap;

shared int64_t counter;
shared double real;
static upc_atomicdomain_t *integers, *reals;

static const int64_t one = 1, three = 3;
static const double half = 0.5;

#define KERNEL(name, function, domain, op, operand)                                                \
    BENCH_KERNEL static void name(shared void *target, void *fetched, int64_t n) {                 \
        for (int64_t i = 0; i < n; i++)                                                            \
            function(domain, fetched, op, target, operand, NULL);                                  \
    }
KERNEL(add, upc_atomic_relaxed, integers, UPC_ADD, &one)
KERNEL(add_strict, upc_atomic_strict, integers, UPC_ADD, &one)
KERNEL(inc, upc_atomic_relaxed, integers, UPC_INC, NULL)
KERNEL(fetch_xor, upc_atomic_relaxed, integers, UPC_XOR, &one)
KERNEL(mult, upc_atomic_relaxed, integers, UPC_MULT, &three)
KERNEL(add_double, upc_atomic_relaxed, reals, UPC_ADD, &half)

BENCH_KERNEL static void add_register(shared void *target, void *fetched, int64_t n) {
    int64_t sum = 0, old;
    for (int64_t i = 0; i < n; i++) {
        upc_atomic_relaxed(integers, &old, UPC_ADD, target, &one, NULL);
        sum += old;
    }
    *(int64_t *)fetched = sum;
}

BENCH_KERNEL static void cswap(shared void *target, void *fetched, int64_t n) {
    int64_t old, next;
    upc_atomic_relaxed(integers, &old, UPC_GET, target, NULL, NULL);
    for (int64_t i = 0; i < n; i++) {
        next = old + 1;
        upc_atomic_relaxed(integers, fetched, UPC_CSWAP, target, &old, &next);
        old = next;
    }
}

typedef void kernel(shared void *target, void *fetched, int64_t n);

/* What one operation makes of the counter: a check of the measured ones. */
typedef int64_t step(int64_t value);

static int64_t plus_1(int64_t value) {
    return value + 1;
}

static int64_t xor_1(int64_t value) {
    return value ^ 1;
}

static int64_t times_3(int64_t value) {
    return (int64_t)((uint64_t)value * 3);
}

/* The operation is on another variable. */
static int64_t same(int64_t value) {
    return value;
}

static void check(const char *name, int64_t before, step *of_c, step *of_upc, int64_t threads) {
    for (int64_t i = 0; i < threads * TIMES; i++) {
        before = of_c(before);
    }
    for (int64_t i = 0; i < threads * TIMES; i++) {
        before = of_upc(before);
    }
    bench_check(counter == before, "%s: the counter is %ld, not %ld", name, (long)counter,
                (long)before);
}

/* Thread 0 measures; with `all` the others do the same meanwhile. On one host an address is one for
 * every thread, so C can have it. */
static void measure(const char *name, kernel *subject, shared void *target, step *of_upc,
                    reference *of_c, step *of_ref, bool all) {
    struct bench_times times = {{0}, 0}, c11 = {{0}, 0};
    int64_t fetched, before;
    for (int round = 0; round < ROUNDS; round++) {
        upc_barrier;
        before = counter;
        upc_barrier;
        double begin = bench_now();
        if (all || MYTHREAD == 0) {
            of_c((void *)&counter, &fetched, TIMES);
        }
        bench_add(&c11, (bench_now() - begin) / TIMES);
        upc_barrier;
        begin = bench_now();
        if (all || MYTHREAD == 0) {
            subject(target, &fetched, TIMES);
        }
        bench_add(&times, (bench_now() - begin) / TIMES);
        upc_barrier;
        if (MYTHREAD == 0) {
            check(name, before, of_ref, of_upc, all ? THREADS : 1);
        }
    }
    if (MYTHREAD == 0) { /* one operation, which others do not undo */
        before = counter;
        subject(target, &fetched, 1);
        bench_check(counter == of_upc(before) && (of_upc == same || fetched == before),
                    "%s: %ld became %ld, and %ld was fetched", name, (long)before, (long)counter,
                    (long)fetched);
        bench_rate(name, "M/s", 1e-6, &times, &c11);
    }
}

int main(void) {
    integers = upc_all_atomicdomain_alloc(
        UPC_INT64, UPC_GET | UPC_ADD | UPC_INC | UPC_XOR | UPC_CSWAP | UPC_MULT, 0);
    reals = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    measure("atomic-add", add, &counter, plus_1, ref_add, plus_1, false);
    measure("atomic-add-register", add_register, &counter, plus_1, ref_add_register, plus_1, false);
    measure("atomic-add-strict", add_strict, &counter, plus_1, ref_add, plus_1, false);
    measure("atomic-inc", inc, &counter, plus_1, ref_add, plus_1, false);
    measure("atomic-xor", fetch_xor, &counter, xor_1, ref_xor, xor_1, false);
    measure("atomic-cswap", cswap, &counter, plus_1, ref_cswap, plus_1, false);
    measure("atomic-mult", mult, &counter, times_3, ref_add, plus_1, false);
    measure("atomic-add-double", add_double, &real, same, ref_add, plus_1, false);
    bench_check(MYTHREAD != 0 || real == half * (TIMES * ROUNDS + 1), "atomic-add-double: %g", real);
    measure("atomic-add-all", add, &counter, plus_1, ref_add, plus_1, true);
    upc_all_atomicdomain_free(integers);
    upc_all_atomicdomain_free(reals);
    return 0;
}
