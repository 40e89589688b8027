/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the coherent heap that one host allocates from: blocks for malloc. Their metadata is
 * in separate tables, private to the host: the heap's pages are never touched here, so that
 * allocating causes neither faults nor traffic. Any thread, also while it serves messages.
 */
#ifndef FL_SPREAD_SLICE_H
#define FL_SPREAD_SLICE_H

#include "core/mutex.h"
#include "space/heap.h"

enum { FL_SLICE_CLASSES = 64, FL_SLICE_WORDS = FL_HEAP_GRANULE / 16 / 64 };

struct fl_slice {
    uintptr_t base;
    uint64_t bytes;
    struct fl_heap_arena arena;
    struct fl_granule *table;               /* [granule] */
    uint64_t (*used)[FL_SLICE_WORDS];       /* [granule]: slots in use */
    uint32_t partial[FL_SLICE_CLASSES];     /* granules with free slots */
    uint32_t never;                         /* granules from here on have never been used */
};

/* Bytes of each of `n` slices that fit into `room`: as many as are wanted, or the largest that leave
 * room for all; a multiple of `unit`. */
static inline uint64_t fl_slice_share(uint64_t wanted, uint64_t room, unsigned n, uint64_t unit) {
    uint64_t most = room / n / unit * unit;
    return wanted < most ? fl_round_up(wanted, unit) : most;
}

/* False if there is no memory for the tables. The slice begins at a granule's multiple. */
FL_MUST_USE bool fl_slice_start(struct fl_slice *slice, uintptr_t base, uint64_t bytes);

static inline bool fl_slice_holds(const struct fl_slice *slice, const void *address) {
    return (uintptr_t)address - slice->base < slice->bytes;
}

/* Null if it is full. `align`: a power of two. *fresh_p: the memory has never been used: zeros. */
void *fl_slice_take(struct fl_slice *slice, size_t bytes, size_t align, bool *fresh_p);

/* A block's bytes, and those asked for, unless it is a slot. Zeros: no block begins there. */
struct fl_slice_size {
    size_t bytes, asked;
};
struct fl_slice_size fl_slice_size(struct fl_slice *slice, const void *block);

/* False, and nothing done, if no block begins there. */
FL_MUST_USE bool fl_slice_give(struct fl_slice *slice, void *block);

#endif
