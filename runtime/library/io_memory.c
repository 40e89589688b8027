/* SPDX-License-Identifier: BSD-3-Clause */
/* See io_memory.h. */
#include "library/io_memory.h"

#include "upc/abi.h"

struct upc_io_region upc_io_region(uint64_t base, uint64_t block, uint64_t bytes) {
    bool contiguous = block >= bytes || upcr_threads() == 1;
    return (struct upc_io_region){base, contiguous ? 0 : block, bytes};
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Ranges of a blocked region from `done` on; they hold *bytes_p at most, and that is what they
 * hold afterwards. A division only for the first: arrays of single elements have many. */
static size_t blocked_ranges(const struct upc_io_region *region, uint64_t done,
                             struct iovec *ranges, size_t most, uint64_t *bytes_p) {
    uint64_t threads = upcr_threads(), left = *bytes_p;
    uint64_t number = upcr_threadof(region->base) + done / region->block;
    uint64_t within = done % region->block;
    uint64_t thread = number % threads;
    uint64_t row = upcr_addrfield(region->base) + number / threads * region->block;
    size_t n = 0;
    while (n < most && left > 0) {
        uint64_t length = smaller(region->block - within, left);
        ranges[n++] = (struct iovec){(void *)(upcr_at_thread(row, thread) + within), length};
        left -= length;
        within = 0;
        if (++thread == threads) {
            thread = 0;
            row += region->block;
        }
    }
    *bytes_p -= left;
    return n;
}

size_t upc_io_memory_ranges(void *memory, struct iovec *ranges, size_t most, uint64_t bytes) {
    struct upc_io_memory *m = memory;
    size_t n = 0;
    while (n < most && bytes > 0) {
        const struct upc_io_region *region = m->list ? &m->list[m->at] : &m->one;
        uint64_t length = smaller(region->bytes - m->done, bytes);
        if (length == 0) {
            m->at++;
            m->done = 0;
            continue;
        }
        if (region->block) {
            n += blocked_ranges(region, m->done, &ranges[n], most - n, &length);
        } else {
            ranges[n++] = (struct iovec){(void *)(region->base + m->done), length};
        }
        m->done += length;
        bytes -= length;
    }
    return n;
}
