/* SPDX-License-Identifier: BSD-3-Clause */
/* chains [ITEMS KEYS LOCKS]: all threads count items in a hash table with chains, whose buckets share
 * locks. */
#include "program.h"

enum { BUCKETS = 4096, LOCKS_MOST = 4096 };

static struct node {
    struct node *next;
    uint64_t key, count;
} *table[BUCKETS];
static omp_lock_t locks[LOCKS_MOST];

static uint64_t key_of(long item, long keys) {
    return (uint64_t)(random_at((uint64_t)item) * (double)keys);
}

static void count(uint64_t key, long n_locks) {
    unsigned bucket = (unsigned)(random_at(key) * BUCKETS);
    omp_lock_t *lock = &locks[bucket % n_locks];
    omp_set_lock(lock);
    struct node *node = table[bucket];
    while (node && node->key != key) {
        node = node->next;
    }
    if (!node) {
        node = malloc(sizeof *node);
        bench_check(node != NULL, "no memory for a node");
        *node = (struct node){table[bucket], key, 0};
        table[bucket] = node;
    }
    node->count++;
    omp_unset_lock(lock);
}

int main(int argc, char **argv) {
    long items = argument(argc, argv, 1, 60000), keys = argument(argc, argv, 2, 3000);
    long n_locks = argument(argc, argv, 3, 256);
    bench_check(n_locks > 0 && n_locks <= LOCKS_MOST, "%d locks at most", LOCKS_MOST);
    for (long i = 0; i < n_locks; i++) {
        omp_init_lock(&locks[i]);
    }
    double began = bench_now();
#pragma omp parallel for
    for (long i = 0; i < items; i++) {
        count(key_of(i, keys), n_locks);
    }
    double seconds = bench_now() - began;
    uint64_t *counts = calloc((size_t)keys, sizeof *counts), found = 0, wrong = 0;
    bench_check(counts != NULL, "no memory for %ld counts", keys);
    for (long i = 0; i < items; i++) {
        counts[key_of(i, keys)]++;
    }
    for (unsigned b = 0; b < BUCKETS; b++) {
        for (const struct node *node = table[b]; node; node = node->next) {
            found += node->count;
            wrong += node->count != counts[node->key];
        }
    }
    bench_check(wrong == 0 && found == (uint64_t)items, "%llu counts are wrong",
                (unsigned long long)wrong);
    report("chains", (double)found, seconds);
    return conclude(wants_check(argc, argv), 1);
}
