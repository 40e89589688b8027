/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global address space of a job on one host: where segments lie, and how their memory file is
 * mapped. Knows nothing of threads' work, of objects, or of allocation.
 *
 * Thread t's segment is [FL_SPACE_BASE + (t << log2_segment), + (1 << log2_segment)) in every
 * process. Behind the segments the memory file holds the job area, which each process maps where
 * there is room: nothing in it may be an address.
 */
#ifndef FL_SPACE_SPACE_H
#define FL_SPACE_SPACE_H

#include "core/status.h"

#include <stddef.h>

enum { FL_SPACE_LOG2 = 45 };
#define FL_SPACE_BASE (1ull << FL_SPACE_LOG2)

struct fl_space {
    unsigned threads;
    unsigned log2_segment;
    int fd;
    uint64_t segments_bytes; /* of the file; the job area follows */
    void *job_area;
    uint64_t job_area_bytes;
};

/* Reserves, grows and maps; fatal if it cannot. fd < 0: creates the memory file. Once. */
void fl_space_map(struct fl_space *space, unsigned threads, int fd, uint64_t job_area_bytes);

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

/* Gives back what lies in [offset, offset + bytes) of one thread's segment. */
void fl_space_punch(const struct fl_space *space, unsigned thread, uint64_t offset, uint64_t bytes);

#endif
