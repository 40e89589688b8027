/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a transfer's data lie in memory: regions, each blocked over the threads or in one piece, as
 * io/transfer.h sees it. What is on another host can only be copied. */
#ifndef FL_LIBRARY_IO_MEMORY_H
#define FL_LIBRARY_IO_MEMORY_H

#include "io/transfer.h"

/* `bytes` from `base` on. With a block size, in bytes, a block at base's thread, the next at the
 * next thread, and so on: a shared [block] char array whose phase at base is 0. */
struct upc_io_region {
    uint64_t base;
    uint64_t block; /* 0: contiguous */
    uint64_t bytes;
};

/* A region; where there is one block, or one thread, it is contiguous. */
struct upc_io_region upc_io_region(uint64_t base, uint64_t block, uint64_t bytes);

struct upc_io_memory {
    struct upc_io_region one;
    struct upc_io_region *list; /* null: only that one */
    size_t at;                  /* the region that is next */
    uint64_t done;              /* bytes of it */
};

/* What a transfer does with it. */
extern const struct fl_io_memory upc_io_memory_functions;

#endif
