/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of other hosts that this process keeps: its threads take and release them without a message,
 * one at a time, as long as the keeper does not recall them. A thread that finds such a lock taken
 * asks the keeper, as if it were not kept, which recalls it; so threads of all hosts wait in one queue.
 */
#ifndef FL_SYNC_LOCK_CACHE_H
#define FL_SYNC_LOCK_CACHE_H

#include "sync/lock.h"

enum fl_lock_cache_result {
    FL_LOCK_CACHE_NONE,   /* the lock is not kept */
    FL_LOCK_CACHE_TAKEN,  /* taken, or released */
    FL_LOCK_CACHE_WANTED, /* it is another thread's; or it was released, and goes to the keeper */
};

/* A full fence, if it takes it. Fatal if `me` has it already. */
enum fl_lock_cache_result fl_lock_cache_take(const struct fl_lock *lock, unsigned me);
/* Also says, for the keeper, how often the lock was taken here. Fatal if it is another's. */
enum fl_lock_cache_result fl_lock_cache_release(const struct fl_lock *lock, unsigned me,
                                                uint64_t *uses);

/* The keeper has granted it to `me`, to keep. */
void fl_lock_cache_keep(const struct fl_lock *lock, unsigned me);

/* For handlers. The keeper recalls it: true if it goes back at once. A recall may come before the thread
 * has seen the grant. */
bool fl_lock_cache_recall(const struct fl_lock *lock, uint64_t *uses);
/* Who of this process holds it, plus 1; 0: nobody. */
uint32_t fl_lock_cache_owner(const struct fl_lock *lock);
/* It is no lock any more. */
void fl_lock_cache_drop(const struct fl_lock *lock);

#endif
