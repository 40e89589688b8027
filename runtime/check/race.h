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
/* Of an object that has just ended, before its memory is freed: as a write. An access that found the
 * object and is not recorded yet finds this write. */
void check_freed_range(uint64_t address, uint64_t bytes, uint32_t site);
/* Whether the whole range belongs to one object; reports it if not. */
FL_COLD bool check_bounds_slow(uint64_t address, uint64_t bytes, unsigned access, uint32_t site);

/* False also where only the thread's own part of the object is large enough. */
static inline bool check_is_inside(uint64_t address, uint64_t bytes) {
    const struct fl_space *space = &upc_process.space;
    unsigned thread = fl_space_thread(space, address);
    uint64_t offset = address - FL_SPACE_BASE - thread * space->stride;
    const struct check_object *object = &check_memory.objects[check_owner(address, offset)];
    uint64_t within = offset - object->start;
    return within < object->bytes && bytes <= object->bytes - within &&
           (object->home == CHECK_EVERYWHERE || object->home == thread);
}

static inline bool check_bounds(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    return FL_LIKELY(check_is_inside(address, bytes)) ||
           check_bounds_slow(address, bytes, access, site);
}

static inline uint64_t check_word(unsigned access, uint32_t site) {
    return check_self.word | (uint64_t)access << CHECK_ACCESS_SHIFT |
           (uint64_t)site << CHECK_SITE_SHIFT;
}

static inline bool check_is_here(uint64_t address) {
    return address - upc_process.space.here_base < upc_process.space.here_bytes;
}

/* A scalar or a record, as emitted code accesses it. */
void check_access(uint64_t address, uint64_t bytes, unsigned access, const char *file, int line);

#endif
