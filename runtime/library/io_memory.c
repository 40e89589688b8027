/* SPDX-License-Identifier: BSD-3-Clause */
/* See io_memory.h. */
#include "library/io_memory.h"

#include "library/far.h"

#include <string.h>

struct upc_io_region upc_io_region(uint64_t base, uint64_t block, uint64_t bytes) {
    bool contiguous = block >= bytes || upcr_threads() == 1;
    return (struct upc_io_region){base, contiguous ? 0 : block, bytes};
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Block `number` of a blocked region, counted from thread 0's in the base's row. */
static uint64_t block_at(const struct upc_io_region *region, uint64_t number) {
    uint64_t threads = upcr_threads();
    return upcr_address_on(upcr_addrfield(region->base) + number / threads * region->block,
                          number % threads);
}

/* Ranges of a blocked region from `done` on, up to the first one that is far; of at most *bytes_p
 * bytes, which becomes their number. Divides only for the first: arrays of single elements have
 * many ranges. */
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
        uint64_t at = upcr_address_on(row, thread) + within;
        if (is_far(at)) {
            break;
        }
        ranges[n++] = (struct iovec){(void *)at, length};
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

/* The region where the transfer continues: the first that is not complete. */
static const struct upc_io_region *here(struct upc_io_memory *m) {
    const struct upc_io_region *region = m->list ? &m->list[m->at] : &m->one;
    while (m->done == region->bytes) {
        m->done = 0;
        m->at++;
        region++;
    }
    return region;
}

static size_t ranges_of(const void *memory, struct iovec *ranges, size_t most, uint64_t bytes) {
    struct upc_io_memory m = *(const struct upc_io_memory *)memory;
    size_t n = 0;
    while (n < most && bytes > 0) {
        const struct upc_io_region *region = here(&m);
        uint64_t length = smaller(region->bytes - m.done, bytes);
        size_t before = n;
        if (region->block) {
            n += blocked_ranges(region, m.done, &ranges[n], most - n, &length);
        } else if (!is_far(region->base)) {
            ranges[n++] = (struct iovec){(void *)(region->base + m.done), length};
        }
        if (n == before) {
            break;
        }
        m.done += length;
        bytes -= length;
    }
    return n;
}

static void advance(void *memory, uint64_t bytes) {
    struct upc_io_memory *m = memory;
    while (bytes > 0) {
        uint64_t length = smaller(here(m)->bytes - m->done, bytes);
        m->done += length;
        bytes -= length;
    }
}

/* A copy between memory and a buffer, in either direction; of far memory in batches. */
struct copy {
    bool to_buffer;
    struct fl_comm_op op;
    struct far_batch batch;
};

/* Copies blocks of one thread, which are adjacent in its memory and `stride` bytes apart in the
 * buffer. Inlined for the usual sizes, of which one instruction moves a block. */
static inline __attribute__((always_inline)) void copy_rows(char *buffer, uint64_t stride,
                                                            char *rows, uint64_t block, uint64_t n,
                                                            bool to_buffer) {
    for (uint64_t i = 0; i < n; i++) {
        if (to_buffer) {
            memcpy(buffer + i * stride, rows + i * block, block);
        } else {
            memcpy(rows + i * block, buffer + i * stride, block);
        }
    }
}

static void copy_rows_far(struct copy *copy, char *buffer, uint64_t stride, uint64_t rows,
                          uint64_t block, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        far_add(&copy->batch, !copy->to_buffer, rows + i * block, buffer + i * stride, block);
    }
}

/* Copies `n` whole blocks from number `first` on. */
static void copy_blocks(const struct upc_io_region *region, uint64_t first, uint64_t n,
                        char *buffer, struct copy *copy) {
    uint64_t threads = upcr_threads(), block = region->block, stride = threads * block;
    for (uint64_t i = 0; i < threads && i < n; i++) {
        uint64_t at = block_at(region, first + i), count = (n - i + threads - 1) / threads;
        char *rows = (char *)at, *column = buffer + i * block;
        if (is_far(at)) {
            copy_rows_far(copy, column, stride, at, block, count);
            continue;
        }
        switch (block) {
        case 4:
            copy_rows(column, stride, rows, 4, count, copy->to_buffer);
            break;
        case 8:
            copy_rows(column, stride, rows, 8, count, copy->to_buffer);
            break;
        case 16:
            copy_rows(column, stride, rows, 16, count, copy->to_buffer);
            break;
        default:
            copy_rows(column, stride, rows, block, count, copy->to_buffer);
        }
    }
}

/* Copies at most one range: the rest of a block, or a part of one. Returns its bytes. */
static uint64_t copy_range(const struct upc_io_region *region, uint64_t done, uint64_t bytes,
                           char *buffer, struct copy *copy) {
    uint64_t at = region->base + done;
    if (region->block) {
        uint64_t within = done % region->block;
        at = block_at(region, upcr_threadof(region->base) + done / region->block) + within;
        bytes = smaller(region->block - within, bytes);
    }
    if (is_far(at)) {
        far_add(&copy->batch, !copy->to_buffer, at, buffer, bytes);
    } else if (copy->to_buffer) {
        memcpy(buffer, (const void *)at, bytes);
    } else {
        memcpy((void *)at, buffer, bytes);
    }
    return bytes;
}

static void copy_bytes(struct upc_io_memory *m, char *buffer, uint64_t bytes, struct copy *copy) {
    while (bytes > 0) {
        const struct upc_io_region *region = here(m);
        uint64_t length = smaller(region->bytes - m->done, bytes), block = region->block;
        if (block && m->done % block == 0 && length >= block) {
            length -= length % block;
            copy_blocks(region, upcr_threadof(region->base) + m->done / block, length / block,
                        buffer, copy);
        } else {
            length = copy_range(region, m->done, length, buffer, copy);
        }
        m->done += length;
        buffer += length;
        bytes -= length;
    }
}

static void copy(void *memory, char *buffer, uint64_t bytes, bool to_buffer) {
    struct copy c;
    c.to_buffer = to_buffer;
    c.op = (struct fl_comm_op){0};
    far_begin(&c.batch, &c.op);
    copy_bytes(memory, buffer, bytes, &c);
    far_end(&c.batch);
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        fl_comm_wait(&c.op);
    }
}

const struct fl_io_memory upc_io_memory_functions = {ranges_of, advance, copy};
