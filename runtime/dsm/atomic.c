/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations. Each piece of memory has a lock, and its holder operates on the piece: a
 * thread on its host's copy of the page, as on any other memory; or the home, for updates of all
 * hosts (update.c), when the lock is there.
 *
 * The home operates on its page, and on the twin, as if a diff of the page had come. The notice of
 * the host that has sent the update says that no diff follows, and that its writer has not got the
 * page: so the page's home stays. Three rules:
 *
 * If the home has written the object itself since its interval began, the page's twin has that
 * write from now on, and no diff will: its notice of the page goes without diffs.
 * A host that gets the lock later, and has a copy of the page, may not have been told of what the
 * home has done for others: its copy ends (lock.c says when).
 * The notice goes with the next interval of the update's host, once the home has confirmed it.
 */
#include "dsm/inside.h"

#include <string.h>

enum { LOG2_LOCKED = 8 /* bytes that share a lock */ };

static struct {
    unsigned first_lock, rows_mask; /* of locks: a multiple of hosts; rows of `hosts` locks */
    struct fl_mutex noting;
    struct fl_dsm_list noted, taken; /* pages of the open interval, and of one that ends */
} atomics;

void fl_atomic_start(void) {
    unsigned hosts = fl_dsm.hosts;
    atomics.first_lock = (FL_DSM_LOCK_ATOMICS + hosts - 1) / hosts * hosts;
    atomics.rows_mask = 1;
    while ((atomics.rows_mask + 1) * 2 * hosts + hosts <= FL_DSM_ATOMIC_LOCKS) {
        atomics.rows_mask = 2 * atomics.rows_mask + 1;
    }
    atomics.noted.pages = fl_dsm_memory(fl_dsm.map.pages, sizeof(uint32_t));
    atomics.taken.pages = fl_dsm_memory(fl_dsm.map.pages, sizeof(uint32_t));
}

/* The lock of a piece of memory. Its manager, where it is at first, is the page's first home. */
static unsigned lock_of(const void *address, uint32_t page) {
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, page);
    unsigned home = fl_map_home(range, (uint64_t)(page - range->first) * FL_MAP_PAGE);
    unsigned row = (unsigned)((uintptr_t)address >> LOG2_LOCKED) & atomics.rows_mask;
    return atomics.first_lock + row * fl_dsm.hosts + home;
}

uint64_t fl_atomic_load(const unsigned char *from, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

/* Stores in one access, since threads may read the object meanwhile. Relaxed: messages order it. */
void fl_atomic_store(unsigned char *to, uint64_t value, unsigned bytes) {
    switch (bytes) {
    case 1: __atomic_store_n(to, (uint8_t)value, __ATOMIC_RELAXED); break;
    case 2: __atomic_store_n((uint16_t *)(void *)to, (uint16_t)value, __ATOMIC_RELAXED); break;
    case 4: __atomic_store_n((uint32_t *)(void *)to, (uint32_t)value, __ATOMIC_RELAXED); break;
    default: __atomic_store_n((uint64_t *)(void *)to, value, __ATOMIC_RELAXED); break;
    }
}

/* ---- threads ---- */

/* Whether it is an update that the home will perform. Races are found among what hosts themselves
 * have written. */
static bool update_at_home(const struct fl_atomic_op *op, uint32_t page) {
    if (op->bytes == 0 || !op->relaxed || fl_dsm.original || fl_dsm.setup.check ||
        (uintptr_t)op->at % op->bytes != 0) {
        return false;
    }
    return fl_update_begin(&(struct fl_atomic_wish){
        .value = op->value,
        .page = page,
        .lock = op->lock,
        .offset = (uint16_t)((uintptr_t)op->at % FL_MAP_PAGE),
        .kind = (uint8_t)op->kind,
        .bytes = (uint8_t)op->bytes,
    });
}

/* Homes move at meetings only; the chunk is taken since that fills in its pages. */
static bool is_home_of(uint32_t page) {
    fl_page_lock(page);
    bool is_home = fl_dsm.pages[page].home == fl_dsm.me;
    fl_page_unlock(page);
    return is_home;
}

/* With the lock held. A handler may have got it for other memory, of which this host is the home. */
static bool has_updates(uint32_t page, unsigned lock) {
    /* Relaxed: those of this lock were begun before it came here. */
    if (FL_LIKELY(atomic_load_explicit(&fl_dsm.updates, memory_order_relaxed) == 0)) {
        return false;
    }
    fl_page_lock(page);
    bool any = fl_dsm.pages[page].updates > 0;
    fl_page_unlock(page);
    return any && fl_update_is_pending(lock);
}

bool fl_dsm_atomic(struct fl_atomic_op *op) {
    uint32_t page = fl_map_page(&fl_dsm.map, (uintptr_t)op->at);
    op->lock = lock_of(op->at, page);
    if (!op->relaxed) {
        fl_update_await(); /* not with the lock held, for which a home may wait */
    }
    enum fl_lock_place place = fl_lock_take_here(op->lock);
    if (place == FL_LOCK_AWAY && update_at_home(op, page)) {
        return true;
    }
    if (place != FL_LOCK_TAKEN) {
        fl_dsm_acquire(op->lock);
    }
    while (has_updates(page, op->lock)) {
        fl_lock_release_relaxed(op->lock);
        fl_update_await_lock(op->lock);
        fl_dsm_acquire(op->lock);
    }
    if (fl_lock_must_fetch(op->lock, page) && !is_home_of(page)) {
        fl_interval_drop(page);
    }
    return false;
}

void fl_dsm_atomic_end(const struct fl_atomic_op *op) {
    if (op->relaxed) {
        fl_lock_release_relaxed(op->lock);
    } else {
        fl_lock_release(op->lock);
    }
}

/* ---- what homes have done for this host ---- */

void fl_atomic_note(uint32_t page) {
    fl_assert(fl_page_chunks_held > 0 && fl_dsm.pages[page].home != fl_dsm.me);
    if (!fl_dsm.pages[page].at_home) {
        fl_dsm.pages[page].at_home = true;
        fl_mutex_lock(&atomics.noting);
        fl_dsm_list_add(&atomics.noted, page);
        fl_mutex_unlock(&atomics.noting);
    }
}

struct fl_dsm_list *fl_atomic_take_noted(void) {
    atomics.taken.n = 0;
    fl_mutex_lock(&atomics.noting);
    struct fl_dsm_list taken = atomics.noted;
    atomics.noted = atomics.taken;
    fl_mutex_unlock(&atomics.noting);
    atomics.taken = taken;
    fl_dsm_list_sort(&atomics.taken);
    /* Before the interval gets its number: what is performed until then belongs to it, or is noted
     * for the next one. */
    for (uint32_t i = 0; i < atomics.taken.n; i++) {
        fl_page_lock(atomics.taken.pages[i]);
        fl_assert(fl_dsm.pages[atomics.taken.pages[i]].at_home);
        fl_dsm.pages[atomics.taken.pages[i]].at_home = false;
        fl_page_unlock(atomics.taken.pages[i]);
    }
    return &atomics.taken;
}

/* ---- the home ---- */

/* The caller holds the chunk. */
static void change_twin(const struct fl_atomic_wish *wish, uint64_t old, uint64_t value) {
    struct fl_page *p = &fl_dsm.pages[wish->page];
    fl_assert(fl_page_chunks_held > 0 && p->twin);
    unsigned char *in_twin = fl_page_twin(p) + wish->offset;
    if (fl_atomic_load(in_twin, wish->bytes) != old) {
        p->merged = true;
        fl_page_note_dirty(wish->page);
    }
    fl_atomic_store(in_twin, value, wish->bytes);
}

static void log_value(const struct fl_atomic_wish *wish, uint64_t value) {
    unsigned char diff[2 * FL_NUMBER_MOST + sizeof value];
    unsigned char *end = fl_number_put(fl_number_put(diff, wish->offset), wish->bytes);
    memcpy(end, &value, wish->bytes);
    fl_log_add(wish->page, diff, (size_t)(end + wish->bytes - diff));
}

void fl_atomic_perform(const struct fl_atomic_wish *wish) {
    fl_page_lock(wish->page);
    const struct fl_page *p = &fl_dsm.pages[wish->page];
    fl_assert(p->home == fl_dsm.me);
    unsigned char *at = fl_map_alias(&fl_dsm.map, wish->page) + wish->offset;
    uint64_t old = fl_atomic_load(at, wish->bytes);
    uint64_t value = fl_atomic_updated(wish->kind, wish->bytes, old, wish->value);
    fl_atomic_store(at, value, wish->bytes);
    if (p->twin) {
        change_twin(wish, old, value);
    }
    if (fl_log_is_on(p)) {
        log_value(wish, value);
    }
    fl_page_unlock(wish->page);
}

bool fl_atomic_is_good(const struct fl_atomic_wish *wish) {
    return wish->page < fl_dsm.map.pages && fl_atomic_exists(wish->kind, wish->bytes) &&
           wish->offset + wish->bytes <= FL_MAP_PAGE && wish->lock < FL_DSM_LOCKS_END;
}
