/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global address space of a job: where segments lie, and how this host's memory file is mapped.
 * Knows nothing of threads' work, of objects, or of allocation.
 *
 * Thread t's segment is [FL_SPACE_BASE + t * stride, + segment_bytes) in every process of every host.
 * The stride is 2^log2_segment bytes and a stagger (furlong/upcr.h says what for), which is large
 * pages' size, so that they fit into each segment alike. Those of other hosts' threads are reserved and cannot be accessed. A host's
 * memory file holds the segments of its threads, then the job area, which each process maps where
 * there is room: nothing in it may be an address.
 */
#ifndef FL_SPACE_SPACE_H
#define FL_SPACE_SPACE_H

#include "core/mutex.h"
#include "space/layout.h"

#include <stddef.h>

#if defined(__SANITIZE_THREAD__)
enum { FL_SPACE_LOG2 = 38 }; /* ThreadSanitizer has its shadow at the others */
#else
enum { FL_SPACE_LOG2 = 45 };
#endif
#define FL_SPACE_BASE (1ull << FL_SPACE_LOG2)

/* In memory that a host's processes share; begins as zeros. */
struct fl_space_pages {
    struct fl_mutex mutex;
    bool stay; /* none are given back any more */
};

struct fl_space {
    unsigned threads; /* of the job */
    unsigned log2_segment;
    uint64_t stride;
    int fd;
    uint64_t segment_bytes;         /* of each thread */
    uint64_t segments_bytes;        /* of the job */
    uint64_t here_base, here_bytes; /* this host's segments; what the file begins with */
    void *job_area;
    uint64_t job_area_bytes;
    struct fl_space_pages *pages; /* null: they may always be given back */
};

/* Reserves, grows and maps; fatal if it cannot. fd < 0: creates the memory file. Once. */
void fl_space_map(struct fl_space *space, const struct fl_layout *layout, int fd,
                  uint64_t job_area_bytes);

/* None where all of them together would take more than 1/16 of a segment. */
static inline uint64_t fl_space_stagger(unsigned threads) {
    uint64_t stagger = 2 << 20, segment = 1ull << (FL_SPACE_LOG2 - fl_log2_ceil(threads));
    return threads > 1 && threads * stagger <= segment / 16 ? stagger : 0;
}

/* What a thread can have in a job of so many: offsets and staggers stay below 2^log2_segment. */
static inline uint64_t fl_space_segment_of(unsigned threads) {
    return (1ull << (FL_SPACE_LOG2 - fl_log2_ceil(threads))) - threads * fl_space_stagger(threads);
}

static inline uint64_t fl_space_segment_bytes(const struct fl_space *space) {
    return space->segment_bytes;
}

/* Of the segments of `threads` neighbours, with what lies between. */
static inline uint64_t fl_space_bytes(const struct fl_space *space, unsigned threads) {
    return (threads - 1) * space->stride + fl_space_segment_bytes(space);
}

static inline uint64_t fl_space_address(const struct fl_space *space, unsigned thread,
                                        uint64_t offset) {
    return FL_SPACE_BASE + thread * space->stride + offset;
}

static inline unsigned fl_space_thread(const struct fl_space *space, uint64_t address) {
    return (unsigned)((address - FL_SPACE_BASE) >> space->log2_segment);
}

static inline uint64_t fl_space_offset(const struct fl_space *space, uint64_t address) {
    return address - fl_space_address(space, fl_space_thread(space, address), 0);
}

/* Whether the address lies in some thread's segment, and not between two: before the begin of one
 * its offset wraps around. */
static inline bool fl_space_holds(const struct fl_space *space, uint64_t address) {
    return address - FL_SPACE_BASE < space->segments_bytes &&
           fl_space_offset(space, address) < fl_space_segment_bytes(space);
}

/* Whether that thread is of this host. */
static inline bool fl_space_is_here(const struct fl_space *space, uint64_t address) {
    return address - space->here_base < space->here_bytes;
}

/* From now on no process of the host gives pages back: the network card that accesses some would go
 * on using those, and the CPUs get new ones. */
void fl_space_keep_pages(const struct fl_space *space);

/* Gives back what lies in [offset, offset + bytes) of the segment of a thread of this host. */
void fl_space_punch(const struct fl_space *space, unsigned thread, uint64_t offset, uint64_t bytes);

#endif
