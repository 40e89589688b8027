/* SPDX-License-Identifier: BSD-3-Clause */
/* See transfer.h. */
#include "io/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    RANGES = 256,           /* in one call; Linux takes 1024 */
    /* Bytes in one call, so that no thread keeps a file for long. With 8 MB the first writes of a
     * job took up to four times as long (bench/io.upc). */
    PIECE = 1 << 20,
    SMALL = 2048,           /* ranges shorter than this on average are copied */
    BUFFER = 256 << 10,     /* bytes copied before the file sees them: they stay in the cache */
    LEAST_BUFFER = 64 << 10,
};

struct buffer {
    char *bytes;
    uint64_t size;
};

/* All of `n` ranges; *moved_p counts. 0, or a negative errno value. A read that moves less has come
 * to the end of the file. */
static int move_ranges(const struct fl_io_transfer *t, int64_t offset, struct iovec *ranges,
                       size_t n, uint64_t *moved_p) {
    uint64_t moved = 0;
    int error = 0;
    while (n > 0) {
        int64_t at = offset + (int64_t)moved;
        ssize_t got = t->writes ? pwritev(t->fd, ranges, (int)n, at)
                                : preadv(t->fd, ranges, (int)n, at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            /* A write that moves nothing and does not say why would never end. */
            error = got < 0 ? -errno : t->writes ? -EIO : 0;
            break;
        }
        moved += (uint64_t)got;
        while (n > 0 && (size_t)got >= ranges->iov_len) {
            got -= (ssize_t)ranges->iov_len;
            ranges++;
            n--;
        }
        if (n > 0) {
            ranges->iov_base = (char *)ranges->iov_base + got;
            ranges->iov_len -= (size_t)got;
        }
    }
    *moved_p = moved;
    return error;
}

static int move_bytes(const struct fl_io_transfer *t, int64_t offset, char *bytes, uint64_t size,
                      uint64_t *moved_p) {
    struct iovec range = {bytes, size};
    return move_ranges(t, offset, &range, 1, moved_p);
}

/* Through the buffer: as much of the extent as fits. */
static int move_copied(const struct fl_io_transfer *t, const struct fl_io_extent *extent,
                       const struct buffer *buffer, uint64_t *moved_p) {
    uint64_t size = extent->bytes < buffer->size ? extent->bytes : buffer->size;
    if (t->writes) {
        t->functions->copy(t->memory, buffer->bytes, size, true);
        return move_bytes(t, extent->offset, buffer->bytes, size, moved_p);
    }
    int error = move_bytes(t, extent->offset, buffer->bytes, size, moved_p);
    t->functions->copy(t->memory, buffer->bytes, *moved_p, false);
    return error;
}

/* One that suits the transfer; without memory for it the kernel gets the small ranges. */
static bool has_buffer(const struct fl_io_transfer *t, uint64_t bytes, struct buffer *buffer) {
    if (!buffer->bytes) {
        uint64_t most = t->buffer_bytes ? t->buffer_bytes : BUFFER;
        most = most < LEAST_BUFFER ? LEAST_BUFFER : most;
        buffer->size = bytes < LEAST_BUFFER ? LEAST_BUFFER : bytes < most ? bytes : most;
        buffer->bytes = malloc(buffer->size);
    }
    return buffer->bytes;
}

static int move_extent(const struct fl_io_transfer *t, struct fl_io_extent left,
                       struct buffer *buffer, uint64_t *moved_p) {
    bool more = true;
    int error = 0;
    *moved_p = 0;
    while (left.bytes > 0 && more && !error) {
        struct iovec ranges[RANGES];
        uint64_t sum = 0, moved = 0;
        uint64_t piece = left.bytes < PIECE ? left.bytes : PIECE;
        size_t n = t->functions->ranges(t->memory, ranges, RANGES, piece);
        for (size_t i = 0; i < n; i++) {
            sum += ranges[i].iov_len;
        }
        bool small = n > 1 && sum < n * SMALL;
        if ((n == 0 || small) && has_buffer(t, left.bytes, buffer)) {
            sum = left.bytes < buffer->size ? left.bytes : buffer->size;
            error = move_copied(t, &left, buffer, &moved);
        } else if (n == 0) {
            error = -ENOMEM;
        } else {
            error = move_ranges(t, left.offset, ranges, n, &moved);
            t->functions->advance(t->memory, moved);
        }
        *moved_p += moved;
        left.offset += (int64_t)moved;
        left.bytes -= moved;
        more = moved == sum;
    }
    return error;
}

/* How many extents from the first on are small, near each other, and within `most` bytes. */
static size_t near_extents(const struct fl_io_extent *extents, size_t n, uint64_t most) {
    int64_t end = extents[0].offset;
    size_t i = 0;
    while (i < n && extents[i].bytes < SMALL && extents[i].offset - end < SMALL) {
        int64_t after = extents[i].offset + (int64_t)extents[i].bytes;
        end = after > end ? after : end;
        if ((uint64_t)(end - extents[0].offset) > most) {
            break;
        }
        i++;
    }
    return i;
}

/* Reads such extents with what is between them, which takes less time than a call for each. */
static int read_near(const struct fl_io_transfer *t, const struct fl_io_extent *extents, size_t n,
                     const struct buffer *buffer, uint64_t *moved_p) {
    int64_t begin = extents[0].offset, end = begin;
    for (size_t i = 0; i < n; i++) {
        int64_t after = extents[i].offset + (int64_t)extents[i].bytes;
        end = after > end ? after : end;
    }
    uint64_t got;
    int error = move_bytes(t, begin, buffer->bytes, (uint64_t)(end - begin), &got);
    bool more = !error;
    *moved_p = 0;
    for (size_t i = 0; i < n && more; i++) {
        uint64_t from = (uint64_t)(extents[i].offset - begin), there = got > from ? got - from : 0;
        more = there >= extents[i].bytes;
        there = more ? extents[i].bytes : there;
        t->functions->copy(t->memory, buffer->bytes + from, there, false);
        *moved_p += there;
    }
    return error;
}

int64_t fl_io_transfer(const struct fl_io_transfer *transfer) {
    const struct fl_io_extent *next = transfer->extents, *end = next + transfer->n_extents;
    struct buffer buffer = {0};
    int saved = errno, error = 0;
    uint64_t total = 0, asked = 0;
    while (next < end && total == asked && !error) {
        uint64_t moved;
        size_t n = 1, left = (size_t)(end - next);
        if (!transfer->writes && near_extents(next, left, LEAST_BUFFER) > 1 &&
            has_buffer(transfer, (uint64_t)(end[-1].offset - next->offset), &buffer)) {
            n = near_extents(next, left, buffer.size);
            error = read_near(transfer, next, n, &buffer, &moved);
        } else {
            error = move_extent(transfer, *next, &buffer, &moved);
        }
        total += moved;
        for (; n > 0; n--) {
            asked += next++->bytes;
        }
    }
    free(buffer.bytes);
    errno = saved;
    return error ? error : (int64_t)total;
}
