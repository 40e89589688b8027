/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a transfer (io/transfer.h): regions, each blocked over the threads or contiguous.
 * Memory of another host has no ranges, it can only be copied. */
#ifndef FL_LIBRARY_IO_MEMORY_H
#define FL_LIBRARY_IO_MEMORY_H

#include "io/transfer.h"

/* `bytes` from `base` on. With a block size, in bytes, a block is at base's thread, the next at the
 * next thread, and so on: a shared [block] char array whose phase at base is 0. */
struct upc_io_region {
    uint64_t base;
    uint64_t block; /* 0: contiguous */
    uint64_t bytes;
};

/* Makes a region; with one block, or one thread, it is contiguous. */
struct upc_io_region upc_io_region(uint64_t base, uint64_t block, uint64_t bytes);

struct upc_io_memory {
    struct upc_io_region one;
    struct upc_io_region *list; /* null: only that one */
    size_t at;                  /* the current region */
    uint64_t done;              /* bytes of it that have been transferred */
};

/* The functions by which a transfer uses it. */
extern const struct fl_io_memory upc_io_memory_functions;

#endif
