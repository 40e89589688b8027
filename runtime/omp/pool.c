/* SPDX-License-Identifier: BSD-3-Clause */
/* See pool.h. */
#include "omp/pool.h"

#include "core/assert.h"
#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 64 };

/* One allocation; the blocks begin in its second cache line. */
struct slab {
    _Alignas(FL_CACHE_LINE) struct slab *next;
};

void fl_omp_pool_begin(struct fl_omp_pool *pool, size_t bytes) {
    pool->bytes = bytes;
}

static struct fl_omp_block *block_of(const struct fl_omp_pool *pool, struct slab *slab, size_t i) {
    return (void *)((char *)(slab + 1) + i * pool->bytes);
}

void fl_omp_pool_end(struct fl_omp_pool *pool, void (*leave)(void *block)) {
    for (struct slab *slab = pool->slabs, *next; slab; slab = next) {
        next = slab->next;
        for (size_t i = 0; leave && i < BLOCKS; i++) {
            leave(block_of(pool, slab, i));
        }
        free(slab);
    }
}

static struct fl_omp_block *new_slab(struct fl_omp_pool *pool) {
    size_t size = fl_round_up(sizeof(struct slab) + BLOCKS * pool->bytes, FL_CACHE_LINE);
    struct slab *slab = FL_ALLOCATED(aligned_alloc(FL_CACHE_LINE, size), "OpenMP tasks");
    memset(slab, 0, size);
    slab->next = pool->slabs;
    pool->slabs = slab;
    struct fl_omp_block *first = NULL;
    for (size_t i = BLOCKS; i-- > 0;) {
        struct fl_omp_block *block = block_of(pool, slab, i);
        *block = (struct fl_omp_block){.home = pool, .next = first};
        first = block;
    }
    return first;
}

struct fl_omp_block *fl_omp_pool_get_slow(struct fl_omp_pool *pool) {
    /* [P2] pairs [P3]: the threads that returned the blocks are done with them. */
    struct fl_omp_block *block =
        atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
    return block ? block : new_slab(pool);
}

void fl_omp_pool_return(struct fl_omp_block *block) {
    struct fl_omp_pool *pool = block->home;
    fl_assert(pool);
    /* Relaxed: the exchange decides. ABA does no harm: the owner takes the whole list at once. */
    block->next = atomic_load_explicit(&pool->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&pool->returned, &block->next, block,
                                                  memory_order_release, /* [P3] pairs [P2]. */
                                                  memory_order_relaxed)) {
    }
}
