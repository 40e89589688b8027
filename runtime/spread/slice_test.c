/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of one host's part of the heap: they do not overlap, freed ones are used again, and only
 * blocks can be freed. The memory itself is never touched. */
#include "spread/slice.h"

#include "core/test.h"

#include <stdlib.h>

enum { BLOCKS = 4000, ROUNDS = 40000 };
#define BASE ((uintptr_t)1 << 44) /* nothing is mapped there */

struct block {
    uintptr_t at;
    size_t bytes;
};

static int ascending(const void *a, const void *b) {
    uintptr_t x = ((const struct block *)a)->at, y = ((const struct block *)b)->at;
    return (x > y) - (x < y);
}

static bool overlap(struct block *blocks) {
    qsort(blocks, BLOCKS, sizeof *blocks, ascending);
    for (unsigned i = 1; i < BLOCKS; i++) {
        if (blocks[i - 1].at && blocks[i - 1].at + blocks[i - 1].bytes > blocks[i].at) {
            return true;
        }
    }
    return false;
}

static size_t any_size(unsigned *seed) {
    unsigned kind = (unsigned)rand_r(seed) % 10;
    unsigned most = kind < 7 ? 300 : kind < 9 ? 40000 : 400000;
    return (size_t)rand_r(seed) % most;
}

/* Whether all that came was right. */
static bool random_use(struct fl_slice *slice, unsigned seed) {
    static struct block blocks[BLOCKS];
    bool good = true;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct block *block = &blocks[(unsigned)rand_r(&seed) % BLOCKS];
        if (block->at) {
            good = good && fl_slice_size(slice, (void *)block->at).bytes >= block->bytes &&
                   fl_slice_give(slice, (void *)block->at);
            block->at = 0;
            continue;
        }
        bool fresh;
        size_t align = (size_t)16 << (unsigned)rand_r(&seed) % 16;
        block->bytes = any_size(&seed);
        block->at = (uintptr_t)fl_slice_take(slice, block->bytes, align, &fresh);
        good = good && block->at && block->at % align == 0 &&
               fl_slice_holds(slice, (void *)block->at);
    }
    good = good && !overlap(blocks);
    for (unsigned i = 0; i < BLOCKS; i++) {
        good = good && (!blocks[i].at || fl_slice_give(slice, (void *)blocks[i].at));
        blocks[i].at = 0;
    }
    return good;
}

static void test_shares(void) {
    const uint64_t gib = (uint64_t)1 << 30, room = 8192 * gib, unit = gib / 16;
    CHECK(fl_slice_share(64 * gib, room, 128, unit) == 64 * gib, "128 slices of 64 GiB in 8 TiB");
    CHECK(fl_slice_share(64 * gib, room, 129, unit) * 129 <= room, "smaller ones for 129 hosts");
    CHECK(fl_slice_share(64 * gib, room, 129, unit) > 63 * gib, "but not much smaller");
    CHECK(fl_slice_share(100, room, 2, unit) == unit, "whole units");
}

int main(void) {
    test_shares();
    struct fl_slice slice;
    CHECK(fl_slice_start(&slice, BASE, (uint64_t)1 << 30), "a slice of 1 GB has tables");
    for (unsigned seed = 1; seed <= 5; seed++) {
        CHECK(random_use(&slice, seed), "blocks of all sizes and alignments, seed %u", seed);
    }
    bool fresh;
    char *large = fl_slice_take(&slice, 800 << 20, 16, &fresh);
    CHECK(large, "what was freed is one piece again");
    CHECK(!fl_slice_take(&slice, 250 << 20, 16, &fresh), "a full slice gives nothing");
    CHECK(!fl_slice_give(&slice, large + (64 << 10)), "the middle of a block is none");
    CHECK(fl_slice_give(&slice, large), "a block goes back");
    CHECK(!fl_slice_give(&slice, large), "but not twice");
    char *small = fl_slice_take(&slice, 40, 16, &fresh);
    CHECK(!fresh && !fl_slice_give(&slice, small + 16), "nor the middle of a small one");
    CHECK(fl_slice_give(&slice, small) && !fl_slice_give(&slice, small), "nor that twice");
    return test_done();
}
