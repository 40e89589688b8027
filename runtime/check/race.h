/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One access to shared memory, before it is made: is it inside an object, and does something order
 * it with the earlier ones that it conflicts with?
 */
#ifndef FL_CHECK_RACE_H
#define FL_CHECK_RACE_H

#include "check/clock.h"
#include "check/objects.h"
#include "check/sites.h"

/* Not inlined: ranges, and what is found. `access` is of enum check_access. */
void check_range(uint64_t address, uint64_t bytes, unsigned access, uint32_t site);
/* The same of one that goes on until check_range is called: nothing comes after it. */
void check_range_open(uint64_t address, uint64_t bytes, unsigned access, uint32_t site);
/* Of memory that is about to be freed: as a write, but none that later ones can conflict with. */
void check_freed_range(uint64_t address, uint64_t bytes, uint32_t site);
/* Whether the whole range belongs to one object; reports it if not. */
FL_COLD bool check_bounds_slow(uint64_t address, uint64_t bytes, unsigned access, uint32_t site);

void check_record(struct check_cell *cell, uint64_t address, uint64_t word);

static inline bool check_bounds(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    unsigned thread = fl_space_thread(space, address);
    uint64_t offset = address - FL_SPACE_BASE - thread * space->stride;
    const struct check_object *object = &check_memory.objects[check_owner(address, offset)];
    uint64_t within = offset - object->start;
    return FL_LIKELY(within < object->bytes && bytes <= object->bytes - within &&
                     (object->home == CHECK_EVERYWHERE || object->home == thread)) ||
           check_bounds_slow(address, bytes, access, site);
}

static inline uint64_t check_word(unsigned access, uint32_t site) {
    return check_self.word | (uint64_t)access << CHECK_ACCESS_SHIFT |
           (uint64_t)site << CHECK_SITE_SHIFT;
}

static inline bool check_is_here(uint64_t address) {
    return address - upc_process.space.here_base < upc_process.space.here_bytes;
}

/* What check_access has not found to be known. */
void check_access_slow(uint64_t address, uint64_t bytes, unsigned access, const char *file,
                       int line);

/* A scalar that the thread has accessed in this way, or written, since its clock ticked last is in
 * order, and inside an object. */
static inline void check_access(uint64_t address, uint64_t bytes, unsigned access,
                                const char *file, int line) {
    if (FL_LIKELY(check_is_here(address) && address % 8 + bytes <= 8) && !check_is_behind()) {
        const struct check_cell *cell = check_known_cell(address);
        /* A write stands for a read as well. */
        uint64_t ignored = CHECK_SITE_BITS |
                           (access & CHECK_WRITE ? 0 : CHECK_WRITE << CHECK_ACCESS_SHIFT);
        uint64_t word = check_word(access, 0) | ((1u << bytes) - 1) << address % 8;
        for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
            /* Relaxed: see shadow.h. */
            uint64_t old = atomic_load_explicit(&cell->words[i], memory_order_relaxed);
            if (((old ^ word) & ~ignored) == 0) {
                return;
            }
        }
    }
    check_access_slow(address, bytes, access, file, line);
}

#endif
