/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shadow of shared memory. Of each eight bytes (a cell) it has up to three accesses, a word for
 * each; of each line of 64 bytes the object that it belongs to. A granule of 64 KiB has its shadow,
 * a chunk, from the moment that it is first accessed: what is not touched costs nothing.
 *
 * A thread that stores words has their line for itself (bias.h).
 */
#ifndef FL_CHECK_SHADOW_H
#define FL_CHECK_SHADOW_H

#include "check/check.h"

/* mask (8) | access (3) | thread (10) | site (16) | clock (27); 0: none */
enum {
    CHECK_ACCESS_SHIFT = 8,
    CHECK_THREAD_SHIFT = 11,
    CHECK_SITE_SHIFT = 21,
    CHECK_CLOCK_SHIFT = 37,
    CHECK_CELL_WORDS = 3,
    CHECK_CELLS = FL_HEAP_GRANULE / 8,
    CHECK_LINES = FL_HEAP_GRANULE / FL_HEAP_ALIGN,
};
#define CHECK_OPEN ((1u << 27) - 1) /* instead of a clock: it has not ended */
/* Which thread, and when. */
#define CHECK_EPOCH_BITS                                                                           \
    (~0ull << CHECK_CLOCK_SHIFT | (uint64_t)(CHECK_MAX_THREADS - 1) << CHECK_THREAD_SHIFT)
#define CHECK_THREAD_BITS ((uint64_t)(CHECK_MAX_THREADS - 1) << CHECK_THREAD_SHIFT)
#define CHECK_SITE_BITS ((uint64_t)(CHECK_MAX_SITES - 1) << CHECK_SITE_SHIFT)
_Static_assert(CHECK_MAX_THREADS == 1 << (CHECK_SITE_SHIFT - CHECK_THREAD_SHIFT), "as many bits");

static inline unsigned check_word_mask(uint64_t word) {
    return word & 0xff;
}
static inline unsigned check_word_access(uint64_t word) {
    return word >> CHECK_ACCESS_SHIFT & 7;
}
static inline unsigned check_word_thread(uint64_t word) {
    return word >> CHECK_THREAD_SHIFT & (CHECK_MAX_THREADS - 1);
}
static inline uint32_t check_word_site(uint64_t word) {
    return word >> CHECK_SITE_SHIFT & (CHECK_MAX_SITES - 1);
}
static inline uint32_t check_word_clock(uint64_t word) {
    return (uint32_t)(word >> CHECK_CLOCK_SHIFT);
}

/* The first two words of a line's cells, in which most have room; and whether one has had none. */
struct check_line {
    _Atomic uint64_t words[CHECK_CELL_WORDS - 1][FL_HEAP_ALIGN / 8];
};
struct check_line_state {
    _Atomic uint16_t bias; /* bias.h */
    _Atomic bool has_third;
};
/* The pages of third words are not touched before one is needed. */
struct check_chunk {
    struct check_line lines[CHECK_LINES];
    struct check_line_state states[CHECK_LINES];
    _Atomic uint32_t owners[CHECK_LINES]; /* objects of which a granule has several; 0: look */
    _Atomic uint64_t third[CHECK_CELLS];
};
struct check_granule {
    _Atomic uint32_t chunk; /* 0: none yet */
    _Atomic uint32_t owner; /* the object that has all of it; 0: look at the lines */
};

static inline struct check_granule *check_granule_of(uint64_t address) {
    return &check_memory
                .granules[(address - upc_process.space.here_base) >> FL_HEAP_LOG2_GRANULE];
}

FL_COLD struct check_chunk *check_chunk_make(struct check_granule *granule);

/* The shadow of the granule at an address of this host. */
static inline struct check_chunk *check_chunk_of(uint64_t address) {
    struct check_granule *granule = check_granule_of(address);
    /* [C1] pairs [C2]: the chunk's number is counted. */
    uint32_t chunk = atomic_load_explicit(&granule->chunk, memory_order_acquire);
    return FL_LIKELY(chunk) ? (struct check_chunk *)check_memory.chunks + chunk
                            : check_chunk_make(granule);
}

static inline struct check_line_state *check_state_of(struct check_chunk *chunk, uint64_t address) {
    return &chunk->states[address % FL_HEAP_GRANULE / FL_HEAP_ALIGN];
}

static inline struct check_line *check_line_of(struct check_chunk *chunk, uint64_t address) {
    return &chunk->lines[address % FL_HEAP_GRANULE / FL_HEAP_ALIGN];
}

/* Word i of the cell at an address. */
static inline _Atomic uint64_t *check_word_of(struct check_chunk *chunk, uint64_t address,
                                              unsigned i) {
    return i + 1 < CHECK_CELL_WORDS
               ? &check_line_of(chunk, address)->words[i][address % FL_HEAP_ALIGN / 8]
               : &chunk->third[address % FL_HEAP_GRANULE / 8];
}

/* How many words the cells of a line have. */
static inline unsigned check_n_words(const struct check_line_state *state) {
    /* Relaxed: the thread that has the line (bias.h) alone changes it. */
    bool has = atomic_load_explicit(&state->has_third, memory_order_relaxed);
    return has ? CHECK_CELL_WORDS : CHECK_CELL_WORDS - 1;
}

/* The operations by which a thread gets a line would wait for its shadow. */
static inline void check_fetch_line(const struct check_line *line) {
    for (unsigned i = 0; i < sizeof *line; i += 64) {
        __builtin_prefetch((const char *)line + i, 1);
    }
}

/* No access is known of [address, address + bytes) any more, in one segment. */
void check_shadow_clear(uint64_t address, uint64_t bytes);

#endif
