/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of one size, which one thread gets and any thread puts back. The memory stays blocks of
 * this pool until the pool ends: a thief that reads a block already in use again sees old or new
 * values, but never something else.
 */
#ifndef FL_OMP_POOL_H
#define FL_OMP_POOL_H

#include "core/assert.h"
#include "core/status.h"
#include "platform/os.h"

/* The header of each block. */
struct fl_omp_block {
    struct fl_omp_pool *home;
    struct fl_omp_block *next; /* for the block's user, too */
};

struct fl_omp_pool {
    struct fl_omp_block *free;
    void *slabs;
    size_t bytes; /* of a block */
    _Alignas(FL_CACHE_LINE) _Atomic(struct fl_omp_block *) returned; /* by others */
};

void fl_omp_pool_begin(struct fl_omp_pool *pool, size_t bytes);
/* Calls `leave` for each block, to free what it holds; null: blocks hold nothing. */
void fl_omp_pool_end(struct fl_omp_pool *pool, void (*leave)(void *block));

/* Owner. New blocks are zero but for their head. */
FL_COLD struct fl_omp_block *fl_omp_pool_get_slow(struct fl_omp_pool *pool);

static inline void *fl_omp_pool_get(struct fl_omp_pool *pool) {
    struct fl_omp_block *block = pool->free;
    if (FL_UNLIKELY(!block)) {
        block = fl_omp_pool_get_slow(pool);
    }
    fl_assert(block->home == pool);
    pool->free = block->next;
    return block;
}

void fl_omp_pool_return(struct fl_omp_block *block);

/* `mine`: the caller's pool of such blocks; null: it has none. */
static inline void fl_omp_pool_put(struct fl_omp_pool *mine, void *memory) {
    struct fl_omp_block *block = memory;
    if (FL_LIKELY(block->home == mine)) {
        fl_assert(block != mine->free);
        block->next = mine->free;
        mine->free = block;
    } else {
        fl_omp_pool_return(block);
    }
}

#endif
