/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks named by addresses, which are the same on all hosts. Coherent memory has numbered locks;
 * host 0 gives a name its number at its first use, and other hosts remember it. Two names never
 * share a lock: a thread that holds both would deadlock.
 */
#include "spread/inside.h"

#include <stdlib.h>

enum { TABLE = 2 * FL_DSM_LOCKS, GROUP = 256 };
_Static_assert((TABLE & (TABLE - 1)) == 0, "slots are found by a mask");

/* Names and numbers that this host knows; host 0 knows all. Open addressing. */
static struct {
    struct fl_mutex mutex; /* held to add a name */
    struct slot {
        _Atomic uintptr_t name; /* 0: none */
        unsigned number;
    } slots[TABLE];
    unsigned *given; /* host 0: [host]: numbers that the host is the manager of */
} names;

/* Names that are near each other, in an array, have slots in the same pages. */
static unsigned hash(uintptr_t name) {
    uintptr_t place = name >> 2;
    return (unsigned)((place / GROUP) * 0x9e3779b97f4a7c15ull >> 40) * GROUP + place % GROUP;
}

/* The slot of the name, or the empty one where it would be. */
static struct slot *find(uintptr_t name) {
    for (unsigned i = hash(name);; i++) {
        struct slot *slot = &names.slots[i & (TABLE - 1)];
        /* [N2] pairs [N1]: the number is there. */
        uintptr_t there = atomic_load_explicit(&slot->name, memory_order_acquire);
        if (there == name || there == 0) {
            return slot;
        }
    }
}

static void fill(struct slot *slot, uintptr_t name, unsigned number) {
    slot->number = number;
    /* [N1] pairs [N2], [N3]. */
    atomic_store_explicit(&slot->name, name, memory_order_release);
}

/* A number whose manager is the host, since an unused lock is at its manager; or another, when
 * these are used up. The caller holds the mutex. */
static unsigned next_number(unsigned host) {
    unsigned hosts = fl_spread_hosts();
    if (!names.given) {
        names.given = FL_ALLOCATED(fl_os_memory_private(hosts * sizeof *names.given),
                                   "a table of locks");
    }
    for (unsigned tried = 0; tried < hosts; tried++, host = (host + 1) % hosts) {
        unsigned number = (FL_SPREAD_LOCK_FIRST / hosts + 1 + names.given[host]) * hosts + host;
        if (number < FL_DSM_LOCKS) {
            names.given[host]++;
            return number;
        }
    }
    fl_fatal(FL_CODE_PRIVATE_MEMORY, "more than %d locks are in use over several hosts; use "
             "fewer, each for more objects", FL_DSM_LOCKS - FL_SPREAD_LOCK_FIRST);
}

/* On host 0: the name's number; if it has none, one of those that `host` manages. */
static unsigned give(uintptr_t name, unsigned host) {
    fl_mutex_lock(&names.mutex);
    struct slot *slot = find(name);
    if (!atomic_load_explicit(&slot->name, memory_order_relaxed)) {
        fill(slot, name, next_number(host));
    }
    fl_mutex_unlock(&names.mutex);
    return slot->number;
}

void fl_spread_serve_name(const struct fl_comm_call *call,
                          const struct fl_spread_name_message *words) {
    uint64_t number = give((uintptr_t)words->name, call->asker.proc);
    fl_comm_answer(call->asker, &number, 1, NULL, 0);
}

static FL_COLD unsigned learn(uintptr_t name) {
    if (fl_spread_me() == 0) {
        return give(name, 0);
    }
    struct fl_comm_answer answer = {0};
    fl_comm_ask(0, FL_COMM_SPREAD, FL_MESSAGE_WORDS(fl_spread, name, .name = name), NULL, 0,
                &answer);
    fl_mutex_lock(&names.mutex);
    struct slot *slot = find(name);
    if (!atomic_load_explicit(&slot->name, memory_order_relaxed)) {
        fill(slot, name, (unsigned)answer.words[0]);
    }
    fl_mutex_unlock(&names.mutex);
    return (unsigned)answer.words[0];
}

unsigned fl_spread_lock_of(const void *name) {
    struct slot *slot = find((uintptr_t)name);
    /* [N3] pairs [N1]. */
    bool known = atomic_load_explicit(&slot->name, memory_order_acquire) == (uintptr_t)name;
    return FL_LIKELY(known) ? slot->number : learn((uintptr_t)name);
}

bool fl_omp_far_try_lock(const void *name) {
    fl_meet_settle();
    return fl_dsm_acquire_try(fl_spread_lock_of(name));
}

/* ---- static locals of C++ (Itanium C++ ABI, 3.3.3) ---- */

int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

/* The guard's first byte, at which compiled code looks first, says that the object is there. */
FL_EXPORT int __cxa_guard_acquire(uint64_t *guard) {
    if (!fl_spread_is_coherent(guard)) {
        return FL_NEXT(__cxa_guard_acquire)(guard);
    }
    fl_dsm_acquire(fl_spread_lock_of(guard));
    bool made = *(unsigned char *)guard;
    if (made) {
        fl_dsm_release(fl_spread_lock_of(guard));
    }
    return !made;
}

FL_EXPORT void __cxa_guard_release(uint64_t *guard) {
    if (!fl_spread_is_coherent(guard)) {
        FL_NEXT(__cxa_guard_release)(guard);
        return;
    }
    *(unsigned char *)guard = 1;
    fl_dsm_release(fl_spread_lock_of(guard));
}

FL_EXPORT void __cxa_guard_abort(uint64_t *guard) {
    if (!fl_spread_is_coherent(guard)) {
        FL_NEXT(__cxa_guard_abort)(guard);
        return;
    }
    fl_dsm_release(fl_spread_lock_of(guard));
}
