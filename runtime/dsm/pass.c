/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Releases that go by a home. A host that asks a home for an operation that releases sends the
 * intervals that it knows, as it would with the grant of a lock. The home need not take their
 * notices: it keeps them apart, in `passed`, until hosts meet, and passes them on to hosts that
 * operate on its memory later, or get a lock from it. Its own threads learn of them after such an
 * operation.
 *
 * `passed` has all intervals of a host since the last meeting up to some number, as `time` has; so
 * what a receiver lacks follows what it has. All that precedes a known interval is known, so known
 * intervals are sent before passed ones, which may depend on them.
 */
#include "dsm/inside.h"

#include <string.h>

void fl_pass_start(void) {
    fl_time_start(&fl_dsm.known.passed, fl_dsm.hosts);
    fl_dsm.known.confirmed = fl_dsm_memory(fl_dsm.hosts, sizeof *fl_dsm.known.confirmed);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        fl_dsm.known.confirmed[h] = fl_dsm_memory(fl_dsm.hosts, sizeof **fl_dsm.known.confirmed);
    }
}

/* time[h] becomes no less than least[h]. */
static void raise_to(uint32_t *time, const uint32_t *least) {
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        time[h] = time[h] > least[h] ? time[h] : least[h];
    }
}

/* The caller holds known.mutex. */
static void tell_passed(const uint32_t *theirs, struct fl_bytes *news) {
    if (fl_dsm.known.passed.first) {
        uint32_t all[fl_dsm.hosts];
        memcpy(all, theirs, sizeof all);
        raise_to(all, fl_dsm.known.time.known);
        fl_time_tell(&fl_dsm.known.passed, all, NULL, true, news);
    }
}

void fl_pass_tell(const uint32_t *theirs, struct fl_bytes *news) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_tell(&fl_dsm.known.time, theirs, fl_dsm.known.late, true, news);
    tell_passed(theirs, news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

void fl_pass_say(unsigned home, bool releases, uint32_t *time, struct fl_bytes *news) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    memcpy(time, fl_dsm.known.time.known, fl_dsm.hosts * sizeof *time);
    if (releases) {
        fl_time_tell(&fl_dsm.known.time, fl_dsm.known.confirmed[home], NULL, true, news);
    }
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

void fl_pass_confirm(unsigned home, const uint32_t *time) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    raise_to(fl_dsm.known.confirmed[home], time);
    fl_assert(fl_dsm.known.confirmed[home][fl_dsm.me] <= fl_dsm.known.time.known[fl_dsm.me]);
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

bool fl_pass_hear(struct fl_text news) {
    const struct fl_interval *first;
    fl_mutex_lock(&fl_dsm.known.mutex);
    bool good = fl_time_learn(&fl_dsm.known.passed, news, &first);
    if (first) {
        /* Relaxed: a thread that has to see it gets the lock of an operation after this handler. */
        atomic_store_explicit(&fl_dsm.known.to_learn, true, memory_order_relaxed);
    }
    fl_mutex_unlock(&fl_dsm.known.mutex);
    return good;
}

static void learn(void) {
    struct fl_bytes news = {0};
    fl_mutex_lock(&fl_dsm.known.mutex);
    tell_passed(fl_dsm.known.time.known, &news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    fl_interval_learn(&news);
    fl_mutex_lock(&fl_dsm.known.mutex);
    bool more = false;
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        more = more || fl_dsm.known.passed.known[h] > fl_dsm.known.time.known[h];
    }
    /* [W1] pairs [W2]. */
    atomic_store_explicit(&fl_dsm.known.to_learn, more, memory_order_release);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    fl_bytes_release(&news);
}

void fl_pass_learn(void) {
    /* [W2] pairs [W1]: what another thread has learned has ended copies here. A release that this
     * thread must learn of was heard before the thread got the lock of its operation. */
    while (atomic_load_explicit(&fl_dsm.known.to_learn, memory_order_acquire)) {
        fl_dsm_order_lock();
        learn();
        fl_mutex_unlock(&fl_dsm.order);
    }
}

void fl_pass_forget(void) {
    size_t bytes = fl_dsm.hosts * sizeof(uint32_t);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        fl_assert(fl_dsm.known.passed.known[h] <= fl_dsm.known.time.known[h]);
    }
    fl_time_forget(&fl_dsm.known.passed);
    /* Relaxed: the other threads wait until the meeting is over. */
    atomic_store_explicit(&fl_dsm.known.to_learn, false, memory_order_relaxed);
    memcpy(fl_dsm.known.passed.known, fl_dsm.known.time.known, bytes);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        memcpy(fl_dsm.known.confirmed[h], fl_dsm.known.time.known, bytes);
    }
}
