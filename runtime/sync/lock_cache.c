/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock_cache.h. */
#include "sync/lock_cache.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "core/mutex.h"

#include <stdlib.h>

enum { BUCKETS = 256 };

/* A lock that was kept once; it stays in the list. */
struct cached {
    struct cached *next;
    const struct fl_lock *lock;
    uint32_t owner; /* + 1; 0: free */
    uint32_t uses;  /* without a message */
    bool kept, recalled;
};

static struct {
    struct fl_mutex mutex;
    struct cached *buckets[BUCKETS];
} cache;

static struct cached **bucket_of(const struct fl_lock *lock) {
    return &cache.buckets[(uint64_t)lock / FL_CACHE_LINE * 0x9e3779b97f4a7c15u >> 56];
}
_Static_assert(BUCKETS == 256, "a bucket's number has eight bits");

static struct cached *find(const struct fl_lock *lock) {
    struct cached *cached = *bucket_of(lock);
    while (cached && cached->lock != lock) {
        cached = cached->next;
    }
    return cached;
}

static struct cached *find_or_make(const struct fl_lock *lock) {
    struct cached *cached = find(lock);
    if (cached) {
        return cached;
    }
    cached = calloc(1, sizeof *cached);
    if (!cached) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory to keep a lock of another host");
    }
    struct cached **bucket = bucket_of(lock);
    cached->lock = lock;
    cached->next = *bucket;
    *bucket = cached;
    return cached;
}

enum fl_lock_cache_result fl_lock_cache_take(const struct fl_lock *lock, unsigned me) {
    enum fl_lock_cache_result result = FL_LOCK_CACHE_NONE;
    fl_mutex_lock(&cache.mutex);
    struct cached *cached = find(lock);
    if (cached && cached->kept) {
        if (cached->owner == me + 1) {
            fl_fatal(FL_CODE_LOCK_MISUSE,
                     "%s locks the lock at %p, which it holds already; locks are not recursive",
                     fl_lock_name_of(me).text, (const void *)lock);
        }
        fl_assert(cached->owner || !cached->recalled); /* a free one goes back at once */
        result = cached->owner ? FL_LOCK_CACHE_WANTED : FL_LOCK_CACHE_TAKEN;
        if (result == FL_LOCK_CACHE_TAKEN) {
            cached->owner = me + 1;
            cached->uses++;
        }
    }
    fl_mutex_unlock(&cache.mutex);
    if (result == FL_LOCK_CACHE_TAKEN) {
        /* No label, as below: it orders accesses of the compiled program. */
        atomic_thread_fence(memory_order_seq_cst);
    }
    return result;
}

enum fl_lock_cache_result fl_lock_cache_release(const struct fl_lock *lock, unsigned me,
                                                uint64_t *uses) {
    enum fl_lock_cache_result result = FL_LOCK_CACHE_NONE;
    atomic_thread_fence(memory_order_seq_cst);
    fl_mutex_lock(&cache.mutex);
    struct cached *cached = find(lock);
    if (cached && cached->kept) {
        if (cached->owner != me + 1) {
            fl_fatal(FL_CODE_LOCK_MISUSE, "%s unlocks the lock at %p, which %s%s",
                     fl_lock_name_of(me).text, (const void *)lock,
                     cached->owner ? fl_lock_name_of(cached->owner - 1).text : "nobody",
                     " holds");
        }
        cached->owner = 0;
        result = cached->recalled ? FL_LOCK_CACHE_WANTED : FL_LOCK_CACHE_TAKEN;
        if (cached->recalled) {
            cached->kept = cached->recalled = false;
            *uses = cached->uses;
        }
    }
    fl_mutex_unlock(&cache.mutex);
    return result;
}

void fl_lock_cache_keep(const struct fl_lock *lock, unsigned me) {
    fl_mutex_lock(&cache.mutex);
    struct cached *cached = find_or_make(lock);
    fl_assert(!cached->kept && !cached->owner);
    cached->kept = true;
    cached->owner = me + 1;
    cached->uses = 0;
    fl_mutex_unlock(&cache.mutex);
}

bool fl_lock_cache_recall(const struct fl_lock *lock, uint64_t *uses) {
    fl_mutex_lock(&cache.mutex);
    struct cached *cached = find_or_make(lock);
    bool returns = cached->kept && !cached->owner;
    fl_assert(!cached->recalled && (cached->kept || !cached->owner));
    cached->kept = cached->kept && !returns;
    cached->recalled = !returns;
    *uses = cached->uses;
    fl_mutex_unlock(&cache.mutex);
    return returns;
}

uint32_t fl_lock_cache_owner(const struct fl_lock *lock) {
    fl_mutex_lock(&cache.mutex);
    const struct cached *cached = find(lock);
    uint32_t owner = cached && cached->kept ? cached->owner : 0;
    fl_mutex_unlock(&cache.mutex);
    return owner;
}

void fl_lock_cache_drop(const struct fl_lock *lock) {
    fl_mutex_lock(&cache.mutex);
    struct cached *cached = find(lock);
    if (cached) {
        cached->kept = cached->recalled = false;
        cached->owner = 0;
    }
    fl_mutex_unlock(&cache.mutex);
}
