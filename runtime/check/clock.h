/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vector clocks: what of the other threads' work has happened before what a thread does now. Threads
 * keep their own; an operation that orders leaves one at its object before it takes effect, and takes
 * from there what others have left after.
 *
 * An object is known by a key. Objects whose keys have the same hash share a clock: then accesses may
 * seem to be ordered that are not, and a race is missed, but none is invented. Clocks only grow, so
 * they need no lock.
 */
#ifndef FL_CHECK_CLOCK_H
#define FL_CHECK_CLOCK_H

#include "check/check.h"

void check_clock_start(unsigned me, unsigned threads);

/* Before, and after, the operation. */
void check_release(uint64_t key);
void check_acquire(uint64_t key);

/* The same for accesses to memory that order others: each word is a key, so that an access to a member
 * is ordered with one to its record. */
void check_release_memory(uint64_t address, uint64_t bytes);
void check_acquire_memory(uint64_t address, uint64_t bytes);

/* All threads: before each tells the others that it has come, and after all have. */
void check_barrier_release(void);
void check_barrier_acquire(void);

/* Before an access, if something has been released or acquired since the last one. */
FL_COLD void check_tick(void);
static inline bool check_is_behind(void) {
    return FL_UNLIKELY(check_self.has_released | (check_self.atomic_of_c != 0));
}

/* Whether something of `thread` at `clock` comes before what the calling thread does. */
static inline bool check_is_ordered(unsigned thread, uint32_t clock) {
    return check_self.clocks[thread] >= clock;
}

/* The key of what has no address. */
enum { CHECK_TEAM_KEY = 3 };

#endif
