// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2 2:2x2 4:4x1
//@ repeat: 3
/* A distributed hash table with open addressing: who inserts a key claims the first free place by
 * compare-and-swap, and counts by atomic addition. All insert the same keys in different orders
 * while they look others up; counts of present keys only grow, and at the end each is known. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_atomic.h>

#ifdef __BERKELEY_UPC__
#define POLL() bupc_poll()
#else
#define POLL() ((void)0)
#endif

#define PLACES 128 /* of each thread */
#define KEYS 90    /* for each thread */
#define PASSES 4

static shared [PLACES] uint64_t key_at[THREADS][PLACES];
static shared [PLACES] uint64_t count_at[THREADS][PLACES];
static upc_atomicdomain_t *domain;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

static uint64_t key_of(long i)
{
    return mix(i + 1) | 1; /* not 0, which is a free place */
}

/* The place of the key, which is claimed if `insert`; -1 if there is none. */
static long find(uint64_t key, int insert)
{
    long n = (long)PLACES * THREADS, at = mix(key) % n;
    const uint64_t free_place = 0;
    for (long i = 0; i < n; i++, at = (at + 1) % n) {
        uint64_t seen;
        shared uint64_t *place = (shared uint64_t *)&key_at[at / PLACES][at % PLACES];
        if (insert)
            upc_atomic_relaxed(domain, &seen, UPC_CSWAP, place, &free_place, &key);
        else
            upc_atomic_relaxed(domain, &seen, UPC_GET, place, NULL, NULL);
        if (seen == key || (insert && seen == 0))
            return at;
        if (seen == 0)
            return -1;
    }
    return -1;
}

static uint64_t count(long at, uint64_t more)
{
    uint64_t before;
    upc_atomic_relaxed(domain, &before, UPC_ADD, &count_at[at / PLACES][at % PLACES], &more, NULL);
    return before;
}

static void fail(const char *what, long i)
{
    printf("thread %d: %s key %ld\n", MYTHREAD, what, i);
    upc_global_exit(1);
}

int main(void)
{
    long n = (long)KEYS * THREADS, used = 0;
    uint64_t *last = calloc(n, sizeof *last);
    domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_CSWAP | UPC_GET | UPC_ADD, 0);
    for (int pass = 0; pass < PASSES; pass++) {
        for (long k = 0; k < n; k++) {
            long i = (k * 7 + 13 * MYTHREAD + pass) % n; /* 7 and n may share a factor */
            long at = find(key_of(i), 1);
            if (at < 0)
                fail("no place for", i);
            if (count(at, 1) < last[i])
                fail("a smaller count of", i);
            last[i]++;
            i = (k * 5) % n;
            at = find(key_of(i), 0);
            if (at < 0 && last[i])
                fail("lost", i);
            if (at >= 0) {
                uint64_t now = count(at, 0);
                if (now < last[i])
                    fail("a smaller count seen of", i);
            }
            if (k % 16 == 0)
                POLL();
        }
    }
    upc_barrier;
    for (int p = 0; p < PLACES; p++) { /* what has affinity to this thread */
        uint64_t key = key_at[MYTHREAD][p];
        used += key != 0;
        if (key && find(key, 0) != (long)MYTHREAD * PLACES + p)
            fail("twice in the table: place of", p);
    }
    static shared long used_by[THREADS], sums[THREADS];
    used_by[MYTHREAD] = used;
    for (int p = 0; p < PLACES; p++)
        sums[MYTHREAD] += count_at[MYTHREAD][p];
    upc_barrier;
    long keys = 0, sum = 0, expected = 0;
    for (int t = 0; t < THREADS; t++) {
        keys += used_by[t];
        sum += sums[t];
    }
    for (long i = 0; i < n; i++)
        expected += last[i] > 0;
    if (sum != n * PASSES * THREADS || keys < expected || keys > n)
        fail("wrong sums after", keys);
    upc_all_atomicdomain_free(domain);
    if (MYTHREAD == 0)
        puts("ok");
    return 0;
}
