/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that this library keeps in a rank's segment, behind the part that the program can attach,
 * where all ranks of the host can access it: consecutive blocks. The segment's rank allocates, one
 * thread at a time; any rank of the host may free, since the last user of a team may be any of its
 * members. A free block is reused whole, because teams come in few sizes.
 */
#include "gas/inside.h"

#include <stdalign.h>

struct block {
    alignas(2 * FL_CACHE_LINE) uint64_t bytes; /* with this header; 0: the end of the blocks */
    _Atomic uint32_t used;
};

static struct block *first_block(void) {
    uint64_t begin = fl_space_address(&gas_process.space, gas_rank(), 0);
    return (struct block *)(uintptr_t)(begin + GAS_SEGMENT_HEAD + gas_segment_most());
}

void *gas_own_allocate(uint64_t bytes) {
    const char *end = (const char *)first_block() + gas_own_bytes();
    uint64_t needed = sizeof(struct block) + fl_round_up(bytes, sizeof(struct block));
    struct block *block = first_block();
    /* [O1] pairs [O2]: else writes of the new team overtake the old team's accesses. */
    while (block->bytes != 0 &&
           (atomic_load_explicit(&block->used, memory_order_acquire) || block->bytes < needed)) {
        block = (struct block *)((char *)block + block->bytes);
    }
    if (block->bytes == 0) {
        if ((uint64_t)(end - (const char *)block) < needed + sizeof(struct block)) {
            fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for a team: %llu bytes",
                     (unsigned long long)bytes);
        }
        block->bytes = needed;
    }
    /* Relaxed: only this rank searches for free blocks. */
    atomic_store_explicit(&block->used, 1, memory_order_relaxed);
    return block + 1;
}

void gas_own_free(void *memory) {
    struct block *block = (struct block *)memory - 1;
    atomic_store_explicit(&block->used, 0, memory_order_release); /* [O2] pairs [O1] */
}
