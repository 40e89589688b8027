// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.2p2 7.6.4.3p8
// All threads at once, more threads than cores among them: no update is lost, no value fetched
// twice, nothing torn. Every thread waits for all before each part, so that they meet.
#include "../../check.h"
#include <math.h>
#include <upc_atomic.h>
#include "inputs/types.h"

enum { N = 4000 };

#define TARGETS(name, type, upc) shared type name##_sum, name##_most, name##_least;
INTEGERS(TARGETS)
FLOATS(TARGETS)

// Each thread adds 3 and takes away 2, in different ways; each offers ascending values as maximum
// and descending ones as minimum.
#define SUMS(name, type, upc)                                                                     \
    static void sums_##name(atomic_function *f)                                                   \
    {                                                                                             \
        upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(upc, NUMERIC | UPC_GET | UPC_SET, 0);  \
        const type zero = 0, one = 1, two = 2;                                                    \
        type last = 0, seen;                                                                      \
        const type high = 100000;                                                                 \
        if (MYTHREAD == 0) {                                                                      \
            f(d, NULL, UPC_SET, &name##_sum, &zero, NULL);                                        \
            f(d, NULL, UPC_SET, &name##_most, &zero, NULL);                                       \
            f(d, NULL, UPC_SET, &name##_least, &high, NULL);                                      \
        }                                                                                         \
        upc_barrier;                                                                              \
        for (int i = 0; i < N / 10; i++) {                                                        \
            const type mine = (type)(i * THREADS + MYTHREAD), low = high - mine;                  \
            f(d, NULL, UPC_INC, &name##_sum, NULL, NULL);                                         \
            f(d, &seen, UPC_ADD, &name##_sum, &two, NULL);                                        \
            f(d, NULL, UPC_DEC, &name##_sum, NULL, NULL);                                         \
            f(d, &seen, UPC_SUB, &name##_sum, &one, NULL);                                        \
            f(d, &seen, UPC_MAX, &name##_most, &mine, NULL);                                      \
            CHECK(seen >= last);                                                                  \
            last = seen > mine ? seen : mine;                                                     \
            f(d, NULL, UPC_MIN, &name##_least, &low, NULL);                                       \
        }                                                                                         \
        upc_barrier;                                                                              \
        f(d, &seen, UPC_GET, &name##_sum, NULL, NULL);                                            \
        CHECK_EQ(seen, (type)(N / 10 * THREADS));                                                 \
        f(d, &seen, UPC_GET, &name##_most, NULL, NULL);                                           \
        CHECK_EQ(seen, (type)(N / 10 * THREADS - 1));                                             \
        f(d, &seen, UPC_GET, &name##_least, NULL, NULL);                                          \
        CHECK_EQ(seen, high - (type)(N / 10 * THREADS - 1));                                      \
        upc_all_atomicdomain_free(d);                                                             \
    }
INTEGERS(SUMS)
FLOATS(SUMS)

shared [] unsigned char taken[N];
shared int tickets;

// Every ticket is drawn by exactly one thread.
static void draw_tickets(atomic_function *f)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC | UPC_SET, 0);
    int ticket, zero = 0;
    if (MYTHREAD == 0) {
        upc_memset(taken, 0, sizeof taken);
        f(d, NULL, UPC_SET, &tickets, &zero, NULL);
    }
    upc_barrier;
    for (;;) {
        f(d, &ticket, UPC_INC, &tickets, NULL, NULL);
        if (ticket >= N)
            break;
        taken[ticket]++;
    }
    upc_barrier;
    for (int i = MYTHREAD; i < N; i += THREADS)
        CHECK_EQ(taken[i], 1);
    upc_all_atomicdomain_free(d);
}

shared [] uint64_t bits[4];

// A bit for each thread: set, cleared, toggled, and always found as it was left.
static void own_bits(atomic_function *f)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_UINT64, BITWISE, 0);
    const uint64_t bit = (uint64_t)1 << (MYTHREAD * 64 / THREADS), others = ~bit;
    uint64_t seen;
    upc_barrier;
    for (int i = 0; i < N / 4; i++) {
        f(d, &seen, UPC_OR, &bits[i % 4], &bit, NULL);
        CHECK(!(seen & bit));
        f(d, &seen, UPC_XOR, &bits[i % 4], &bit, NULL);
        CHECK(seen & bit);
        f(d, NULL, UPC_OR, &bits[i % 4], &bit, NULL);
        f(d, &seen, UPC_AND, &bits[i % 4], &others, NULL);
        CHECK(seen & bit);
    }
    upc_barrier;
    CHECK_EQ(bits[MYTHREAD % 4], 0);
    upc_all_atomicdomain_free(d);
}

struct node {
    shared void *next;
    int there;
};
shared [8] struct node nodes[8 * THREADS];
shared void *shared top;

// A stack of pointers with phases: every thread pushes its nodes; then all are there, once.
static void push_all(atomic_function *f)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_PTS, ACCESSORS, 0);
    shared void *seen, *expected, *mine, *null = NULL;
    if (MYTHREAD == 0)
        f(d, NULL, UPC_SET, &top, &null, NULL);
    upc_barrier;
    for (int i = 0; i < 8; i++) {
        mine = &nodes[8 * MYTHREAD + i];
        f(d, &seen, UPC_GET, &top, NULL, NULL);
        do {
            expected = seen;
            ((shared [8] struct node *)mine)->next = expected;
            f(d, &seen, UPC_CSWAP, &top, &expected, &mine);
        } while (seen != expected);
    }
    upc_barrier;
    int found = 0;
    for (shared [8] struct node *n = top; n && found <= 8 * THREADS; n = n->next) {
        found++;
        CHECK_EQ(upc_phaseof(n), n - (shared [8] struct node *)&nodes[8 * upc_threadof(n)]);
    }
    CHECK_EQ(found, 8 * THREADS);
    upc_all_atomicdomain_free(d);
}

shared void *shared slot;

// Pointers handed around by swaps: each is somewhere, once.
static void swap_around(atomic_function *f)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_PTS, ACCESSORS, 0);
    shared void *mine = &nodes[8 * MYTHREAD], *got = NULL, *null = NULL;
    nodes[8 * MYTHREAD].there = 1;
    if (MYTHREAD == 0)
        f(d, NULL, UPC_SET, &slot, &null, NULL);
    upc_barrier;
    for (int i = 0; i < N / 4; i++) {
        f(d, &got, UPC_SET, &slot, &mine, NULL);
        mine = got;
    }
    upc_barrier;
    if (MYTHREAD == 0 && slot)
        CHECK_EQ(((shared [8] struct node *)slot)->there--, 1);
    upc_barrier;
    if (mine)
        CHECK_EQ(((shared [8] struct node *)mine)->there--, 1);
    upc_barrier;
    CHECK_EQ(nodes[8 * MYTHREAD].there, 0);
    upc_all_atomicdomain_free(d);
}

shared int64_t word;

// Reads and writes are whole, and a counter by UPC_CSWAP alone loses nothing.
static void count_by_cswap(atomic_function *f)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT64, ACCESSORS, 0);
    const int64_t mine = (MYTHREAD + 1) * 0x0101010101010101, zero = 0;
    int64_t seen, expected, next;
    upc_barrier;
    for (int i = 0; i < N / 4; i++) {
        f(d, NULL, UPC_SET, &word, &mine, NULL);
        f(d, &seen, UPC_GET, &word, NULL, NULL);
        CHECK_EQ(seen % 0x0101010101010101, 0);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        f(d, NULL, UPC_SET, &word, &zero, NULL);
    upc_barrier;
    for (int i = 0; i < N / 4; i++) {
        f(d, &seen, UPC_GET, &word, NULL, NULL);
        do {
            expected = seen;
            next = expected + 1;
            f(d, &seen, UPC_CSWAP, &word, &expected, &next);
        } while (seen != expected);
    }
    upc_barrier;
    CHECK_EQ(word, N / 4 * (int64_t)THREADS);
    upc_all_atomicdomain_free(d);
}

shared double product;

// Products that are exact in any order.
static void multiply(atomic_function *f)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_MULT | UPC_SET, 0);
    const double two = 2, half = 0.5, one = 1;
    if (MYTHREAD == 0)
        f(d, NULL, UPC_SET, &product, &one, NULL);
    upc_barrier;
    for (int i = 0; i < N / 10; i++) {
        f(d, NULL, UPC_MULT, &product, &two, NULL);
        f(d, NULL, UPC_MULT, &product, &half, NULL);
    }
    f(d, NULL, UPC_MULT, &product, &two, NULL);
    upc_barrier;
    CHECK(product == ldexp(1, THREADS));
    upc_all_atomicdomain_free(d);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        atomic_function *f = orders[i];
#define RUN(name, type, upc) sums_##name(f);
        INTEGERS(RUN)
        FLOATS(RUN)
        draw_tickets(f);
        own_bits(f);
        push_all(f);
        swap_around(f);
        count_by_cswap(f);
        multiply(f);
    }
    return check_done();
}
