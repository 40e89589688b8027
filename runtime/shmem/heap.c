/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symmetric heap: OpenSHMEM 1.5, 9.3. All PEs allocate and free the same sizes in the same
 * order, so each PE computes the same offsets without communication: first fit in a list of blocks,
 * sorted by address, in the PE's private memory. The kernel supplies pages at their first access.
 */
#include "shmem/inside.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* least alignment of a block: a cache line, in bytes */

struct block {
    struct block *next;
    uint64_t address, bytes;
    bool used;
};

static struct {
    struct block *first;
    uint64_t end;
} heap;

static struct block *new_block(struct block *next, uint64_t address, uint64_t bytes) {
    struct block *block = FL_ALLOCATED(malloc(sizeof *block),
                                       "the symmetric heap's list of blocks");
    *block = (struct block){next, address, bytes, false};
    return block;
}

void furlong_shmem_heap_start(uint64_t base, uint64_t bytes) {
    heap.first = new_block(NULL, base, bytes);
    heap.end = base + bytes;
}

/* Makes the block end after `bytes`; the remainder becomes a free block after it. */
static void cut(struct block *block, uint64_t bytes) {
    if (block->bytes > bytes) {
        block->next = new_block(block->next, block->address + bytes, block->bytes - bytes);
        block->bytes = bytes;
    }
}

static void *take(uint64_t alignment, uint64_t bytes) {
    if (bytes > heap.end) {
        return NULL; /* too large, and the sums below could overflow */
    }
    bytes = fl_round_up(bytes, ALIGNMENT);
    for (struct block *block = heap.first; block; block = block->next) {
        uint64_t skipped = fl_round_up(block->address, alignment) - block->address;
        if (block->used || block->bytes < skipped || block->bytes - skipped < bytes) {
            continue;
        }
        if (skipped > 0) {
            cut(block, skipped);
            block = block->next;
        }
        cut(block, bytes);
        block->used = true;
        return (void *)(uintptr_t)block->address;
    }
    return NULL;
}

static struct block *find(const char *function, const void *address) {
    for (struct block *block = heap.first; block; block = block->next) {
        if (block->address == (uint64_t)(uintptr_t)address && block->used) {
            return block;
        }
    }
    gas_misuse("%s: %p is no block of the symmetric heap, or was freed before", function, address);
}

/* Merges adjacent free blocks. */
static void merge_free(void) {
    struct block *before = NULL;
    for (struct block *at = heap.first; at; at = at->next) {
        if (before && !before->used && !at->used) {
            before->bytes += at->bytes;
            before->next = at->next;
            free(at);
            at = before;
        }
        before = at;
    }
}

static void give_back(struct block *block) {
    block->used = false;
    merge_free();
}

void *shmem_align(size_t alignment, size_t bytes) {
    furlong_shmem_check_started("shmem_align");
    if (bytes == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return NULL;
    }
    void *block = take(alignment > ALIGNMENT ? alignment : ALIGNMENT, bytes);
    shmem_barrier_all();
    return block;
}

void *shmem_malloc(size_t bytes) {
    return shmem_align(ALIGNMENT, bytes);
}

void *shmem_malloc_with_hints(size_t bytes, long hints) {
    (void)hints;
    return shmem_align(ALIGNMENT, bytes);
}

void *shmem_calloc(size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        return NULL;
    }
    furlong_shmem_check_started("shmem_calloc");
    void *block = all > 0 ? take(ALIGNMENT, all) : NULL;
    if (block) {
        memset(block, 0, all);
    }
    if (all > 0) {
        shmem_barrier_all();
    }
    return block;
}

void shmem_free(void *address) {
    if (address) {
        shmem_barrier_all();
        give_back(find("shmem_free", address));
    }
}

void *shmem_realloc(void *address, size_t bytes) {
    if (!address) {
        return shmem_malloc(bytes);
    }
    if (bytes == 0) {
        shmem_free(address);
        return NULL;
    }
    shmem_barrier_all();
    struct block *old = find("shmem_realloc", address);
    void *new = address;
    if (fl_round_up(bytes, ALIGNMENT) <= old->bytes) {
        cut(old, fl_round_up(bytes, ALIGNMENT));
        merge_free();
    } else if ((new = take(ALIGNMENT, bytes)) != NULL) {
        memcpy(new, address, old->bytes);
        give_back(old);
    }
    shmem_barrier_all();
    return new;
}

/* Deprecated names. */
void *shmalloc(size_t bytes) {
    return shmem_malloc(bytes);
}
void shfree(void *block) {
    shmem_free(block);
}
void *shrealloc(void *block, size_t bytes) {
    return shmem_realloc(block, bytes);
}
void *shmemalign(size_t alignment, size_t bytes) {
    return shmem_align(alignment, bytes);
}
