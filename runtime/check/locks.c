/* SPDX-License-Identifier: BSD-3-Clause */
/* See locks.h. A thread holds few locks at a time, and a program nests few: lists are searched. */
#include "check/locks.h"

#include "check/calls.h"
#include "check/report.h"

#include <stdio.h>

static struct check_order *find_order(uint64_t first, uint64_t second) {
    uint64_t at = (first * 0x9e3779b97f4a7c15u ^ second * 0xc2b2ae3d27d4eb4fu) >> 40;
    for (unsigned i = 0; i < CHECK_PAIRS; i++, at++) {
        struct check_order *order = &check_memory.orders[at % CHECK_PAIRS];
        if (order->first == 0 || (order->first == first && order->second == second)) {
            return order;
        }
    }
    return NULL;
}

/* The thread takes one lock while it holds another: elsewhere it may have been the other way round.
 * Each order is kept once. */
static void note_order(const struct check_held *held, uint64_t lock, uint32_t site) {
    struct check_shared *shared = check_memory.shared;
    struct check_order reverse = {0};
    fl_mutex_lock(&shared->mutex);
    struct check_order *order = find_order(held->lock, lock), *other = find_order(lock, held->lock);
    if (order && order->first == 0 && shared->n_orders < CHECK_PAIRS / 2) {
        *order = (struct check_order){held->lock, lock, held->site, site};
        shared->n_orders++;
    }
    if (other && other->first) {
        reverse = *other;
    }
    fl_mutex_unlock(&shared->mutex);
    uint32_t low = site < reverse.at_second ? site : reverse.at_second;
    uint32_t high = site < reverse.at_second ? reverse.at_second : site;
    if (reverse.first && check_is_new(FL_CODE_CHECK, low, high)) {
        check_say(FL_CODE_CHECK,
                  "two locks are taken in different orders, so two threads may wait for each other\n"
                  "  %s: thread %u takes one while it holds the other, taken at %s\n"
                  "  %s: the other is taken while the one is held, taken at %s\n"
                  "  take them in the same order everywhere",
                  check_place_of(site).text, check_self.me, check_place_of(held->site).text,
                  check_place_of(reverse.at_second).text, check_place_of(reverse.at_first).text);
    }
}

static void taken(uint64_t lock, const char *function) {
    uint32_t site = check_called(function);
    check_acquire(lock);
    for (unsigned i = 0; i < check_self.n_held; i++) {
        note_order(&check_self.held[i], lock, site);
    }
    if (check_self.n_held < CHECK_HELD) {
        check_self.held[check_self.n_held++] = (struct check_held){lock, site};
    }
}

static const struct check_held *forget(uint64_t lock) {
    static _Thread_local struct check_held gone;
    for (unsigned i = check_self.n_held; i-- > 0;) {
        if (check_self.held[i].lock == lock) {
            gone = check_self.held[i];
            check_self.held[i] = check_self.held[--check_self.n_held];
            return &gone;
        }
    }
    return NULL;
}

void __wrap_upc_lock(struct upcr_lock *lock) {
    bool checked = check_enter();
    __real_upc_lock(lock);
    if (checked) {
        taken((uint64_t)lock, "upc_lock");
        check_leave();
    }
}

int __wrap_upc_lock_attempt(struct upcr_lock *lock) {
    bool checked = check_enter();
    int has = __real_upc_lock_attempt(lock);
    if (checked) {
        if (has) {
            check_acquire((uint64_t)lock);
            if (check_self.n_held < CHECK_HELD) { /* it would not have waited: no order */
                check_self.held[check_self.n_held++] =
                    (struct check_held){(uint64_t)lock, check_called("upc_lock_attempt")};
            }
        }
        check_leave();
    }
    return has;
}

void __wrap_upc_unlock(struct upcr_lock *lock) {
    bool checked = check_enter();
    if (checked) {
        check_release((uint64_t)lock);
        (void)forget((uint64_t)lock);
    }
    __real_upc_unlock(lock);
    if (checked) {
        check_leave();
    }
}

/* ---- allocation ---- */

/* Where the lock is in the table, or may be put; null if neither is. The caller holds the mutex. */
static struct check_made_lock *find_made(uint64_t lock) {
    struct check_made_lock *room = NULL;
    uint64_t at = lock * 0x9e3779b97f4a7c15u >> 40;
    for (unsigned i = 0; i < CHECK_LOCKS; i++, at++) {
        struct check_made_lock *made = &check_memory.locks[at % CHECK_LOCKS];
        if (made->lock == lock) {
            return made;
        }
        room = room || made->lock > 1 ? room : made;
        if (made->lock == 0) {
            break;
        }
    }
    return room;
}

static void note_made(const struct upcr_lock *lock, const char *function) {
    uint32_t site = check_called(function);
    fl_mutex_lock(&check_memory.shared->mutex);
    struct check_made_lock *made = lock ? find_made((uint64_t)lock) : NULL;
    if (made) {
        *made = (struct check_made_lock){(uint64_t)lock, site};
    }
    fl_mutex_unlock(&check_memory.shared->mutex);
}

struct upcr_lock *__wrap_upc_global_lock_alloc(void) {
    bool checked = check_enter();
    struct upcr_lock *lock = __real_upc_global_lock_alloc();
    if (checked) {
        note_made(lock, "upc_global_lock_alloc");
        check_leave();
    }
    return lock;
}

struct upcr_lock *__wrap_upc_all_lock_alloc(void) {
    bool checked = check_enter();
    struct upcr_lock *lock = __real_upc_all_lock_alloc();
    if (checked) {
        if (check_self.me == 0) {
            note_made(lock, "upc_all_lock_alloc");
        }
        upc_barrier_plain(UPC_AT_ALL_LOCK_ALLOC); /* before another one frees it */
        check_leave();
    }
    return lock;
}

/* Orders with a lock that is no more would be those of the next one there. */
static void forget_orders(uint64_t lock) {
    fl_mutex_lock(&check_memory.shared->mutex);
    for (unsigned i = 0; check_memory.shared->n_orders > 0 && i < CHECK_PAIRS; i++) {
        struct check_order *order = &check_memory.orders[i];
        if (order->first == lock || order->second == lock) {
            order->first = order->second = 1; /* of no lock */
        }
    }
    fl_mutex_unlock(&check_memory.shared->mutex);
}

static void forget_made(uint64_t lock) {
    fl_mutex_lock(&check_memory.shared->mutex);
    struct check_made_lock *made = find_made(lock);
    if (made && made->lock == lock) {
        made->lock = 1;
    }
    fl_mutex_unlock(&check_memory.shared->mutex);
}

static void freed(struct upcr_lock *lock, const char *function) {
    const struct check_held *held = forget((uint64_t)lock);
    uint32_t site = check_called(function);
    if (held && check_is_new(FL_CODE_CHECK, site, held->site)) {
        check_say(FL_CODE_CHECK,
                  "%s: thread %u frees a lock that it holds, taken at %s; call upc_unlock before",
                  check_place_of(site).text, check_self.me, check_place_of(held->site).text);
    }
    if (lock) {
        forget_orders((uint64_t)lock);
        forget_made((uint64_t)lock);
    }
}

void __wrap_upc_lock_free(struct upcr_lock *lock) {
    bool checked = check_enter();
    if (checked) {
        freed(lock, "upc_lock_free");
    }
    __real_upc_lock_free(lock);
    if (checked) {
        check_leave();
    }
}

void __wrap_upc_all_lock_free(struct upcr_lock *lock) {
    bool checked = check_enter();
    if (checked) {
        freed(lock, "upc_all_lock_free");
    }
    __real_upc_all_lock_free(lock);
    if (checked) {
        check_leave();
    }
}

void check_locks_end(void) {
    for (unsigned i = 0; i < check_self.n_held; i++) {
        uint32_t site = check_self.held[i].site;
        if (check_is_new(FL_CODE_CHECK, site, 0)) {
            check_say(FL_CODE_CHECK, "thread %u ends with a lock held, taken at %s", check_self.me,
                      check_place_of(site).text);
        }
    }
}
