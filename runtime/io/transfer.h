/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves data between ranges of a file and ranges of memory, in order. Positions are arguments, so
 * any number of transfers may run at once, on one descriptor or several. Nothing is kept: when a
 * write returns, the operating system has the data.
 *
 * Where the memory's ranges are large they are handed to the kernel as they are; many small ones
 * are copied through a buffer, which is faster than to have the kernel look at each. Small extents
 * near each other are read together, with what is between them. They are written one by one: what
 * is between them may be changed by others.
 */
#ifndef FL_IO_TRANSFER_H
#define FL_IO_TRANSFER_H

#include "core/status.h"

#include <stddef.h>
#include <sys/uio.h>

/* Part of a file. */
struct fl_io_extent {
    int64_t offset;
    uint64_t bytes;
};

/* Memory as a transfer sees it, from some place on; at least as large as all extents. */
struct fl_io_memory {
    /* Looks at the next ranges, `most` at most and `bytes` > 0 altogether at most; returns how many.
     * 0: the next bytes can only be copied. */
    size_t (*ranges)(const void *memory, struct iovec *ranges, size_t most, uint64_t bytes);
    /* Goes on by so many bytes. */
    void (*advance)(void *memory, uint64_t bytes);
    /* Copies the next bytes to a buffer, or from it, and goes on. */
    void (*copy)(void *memory, char *buffer, uint64_t bytes, bool to_buffer);
};

struct fl_io_transfer {
    int fd;
    bool writes; /* the file; else reads */
    const struct fl_io_extent *extents;
    size_t n_extents;
    const struct fl_io_memory *functions;
    void *memory;
    uint64_t buffer_bytes; /* largest for small ranges; 0: chosen */
};

/* Bytes moved, or a negative errno value. Fewer than asked for only if a read came to the end of
 * the file. Blocks; starts again after a signal; leaves errno alone. Runs in any thread. */
FL_MUST_USE int64_t fl_io_transfer(const struct fl_io_transfer *transfer);

#endif
