/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global address space of a job: where segments lie, and how this host's memory file is mapped.
 * Knows nothing of threads' work, of objects, or of allocation.
 *
 * Thread t's segment is [FL_SPACE_BASE + (t << log2_segment), + (1 << log2_segment)) in every
 * process of every host. Those of other hosts' threads are reserved and cannot be accessed. A host's
 * memory file holds the segments of its threads, then the job area, which each process maps where
 * there is room: nothing in it may be an address.
 */
#ifndef FL_SPACE_SPACE_H
#define FL_SPACE_SPACE_H

#include "space/layout.h"

#include <stddef.h>

#if defined(__SANITIZE_THREAD__)
enum { FL_SPACE_LOG2 = 38 }; /* ThreadSanitizer has its shadow at the others */
#else
enum { FL_SPACE_LOG2 = 45 };
#endif
#define FL_SPACE_BASE (1ull << FL_SPACE_LOG2)

struct fl_space {
    unsigned threads; /* of the job */
    unsigned log2_segment;
    int fd;
    uint64_t segments_bytes;        /* of the job */
    uint64_t here_base, here_bytes; /* this host's segments; what the file begins with */
    void *job_area;
    uint64_t job_area_bytes;
};

/* Reserves, grows and maps; fatal if it cannot. fd < 0: creates the memory file. Once. */
void fl_space_map(struct fl_space *space, const struct fl_layout *layout, int fd,
                  uint64_t job_area_bytes);

static inline uint64_t fl_space_segment_bytes(const struct fl_space *space) {
    return 1ull << space->log2_segment;
}

static inline uint64_t fl_space_address(const struct fl_space *space, unsigned thread,
                                        uint64_t offset) {
    return FL_SPACE_BASE + ((uint64_t)thread << space->log2_segment) + offset;
}

static inline unsigned fl_space_thread(const struct fl_space *space, uint64_t address) {
    return (unsigned)((address - FL_SPACE_BASE) >> space->log2_segment);
}

static inline uint64_t fl_space_offset(const struct fl_space *space, uint64_t address) {
    return address & (fl_space_segment_bytes(space) - 1);
}

/* Whether the address lies in some thread's segment. */
static inline bool fl_space_holds(const struct fl_space *space, uint64_t address) {
    return address - FL_SPACE_BASE < space->segments_bytes;
}

/* Whether that thread is of this host. */
static inline bool fl_space_is_here(const struct fl_space *space, uint64_t address) {
    return address - space->here_base < space->here_bytes;
}

/* Gives back what lies in [offset, offset + bytes) of the segment of a thread of this host. */
void fl_space_punch(const struct fl_space *space, unsigned thread, uint64_t offset, uint64_t bytes);

#endif
