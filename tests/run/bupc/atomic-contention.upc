// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 4x2 2x4 1x7 8x1
// Berkeley's atomics from all threads at once, as programs used them: drawing work, a hash table
// whose buckets are lists by compare-and-swap, flags in words, and sums.
#include "../../check.h"
#include <stdint.h>

enum { N = 3000, BUCKETS = 16 };

shared int64_t next_item, buckets[THREADS * BUCKETS], links[THREADS * N];
shared uint32_t flags;
shared double sum;
shared float small;
shared int marks, masked;
shared int64_t produced[THREADS];

static void build_lists(void)
{
    for (int i = 0; i < BUCKETS; i++)
        buckets[MYTHREAD + i * THREADS] = -1;
    upc_barrier;
    int64_t item;
    while ((item = bupc_atomicI64_fetchadd_relaxed(&next_item, 1)) < N) {
        shared int64_t *head = &buckets[item % BUCKETS];
        int64_t seen = bupc_atomicI64_read_relaxed(head);
        int64_t expected;
        do {
            expected = seen;
            links[item] = expected;
            seen = bupc_atomicI64_cswap_strict(head, expected, item);
        } while (seen != expected);
        produced[MYTHREAD]++;
    }
    upc_barrier;
    int64_t all = 0, found = 0;
    for (int t = 0; t < THREADS; t++)
        all += produced[t];
    CHECK_EQ(all, N);
    for (int b = 0; b < BUCKETS; b++)
        for (int64_t i = buckets[b]; i >= 0 && found <= N; i = links[i]) {
            CHECK_EQ(i % BUCKETS, b);
            found++;
        }
    CHECK_EQ(found, N);
}

static void own_bits(void)
{
    const uint32_t bit = 1u << MYTHREAD;
    for (int i = 0; i < N; i++) {
        CHECK(!(bupc_atomicU32_fetchor_relaxed(&flags, bit) & bit));
        CHECK(bupc_atomicU32_fetchand_strict(&flags, ~bit) & bit);
        CHECK(!(bupc_atomicU32_fetchxor_relaxed(&flags, bit) & bit));
        CHECK(bupc_atomicU32_fetchxor_strict(&flags, bit) & bit);
    }
    upc_barrier;
    /* From another host each is a message and its answer. */
    const int rounds = bupc_cast(&flags) ? 30 * N : N;
    for (int i = 0; i < rounds; i++) {
        CHECK(!(bupc_atomicU32_mswap_relaxed(&flags, bit, ~0u) & bit));
        CHECK(bupc_atomicU32_mswap_strict(&flags, bit, 0) & bit);
    }
    for (int i = 0; i < 2 * N; i++)
        bupc_atomicI_fetchnot_relaxed(&masked);
    upc_barrier;
    CHECK_EQ(flags, 0);
    CHECK_EQ(masked, 0);
}

static void sums(void)
{
    for (int i = 0; i < N; i++) {
        bupc_atomicD_fetchadd_relaxed(&sum, 0.5);
        bupc_atomicF_fetchadd_strict(&small, 1);
        bupc_atomicI_fetchadd_strict(&marks, 3);
        bupc_atomicI_fetchadd_relaxed(&marks, -2);
    }
    upc_barrier;
    CHECK(sum == 0.5 * N * THREADS);
    CHECK(small == (float)(N * THREADS));
    CHECK_EQ(marks, N * THREADS);
}

int main(void)
{
    build_lists();
    own_bits();
    sums();
    return check_done();
}
