/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks. A lock is at one host at a time. Each has a manager, which knows the host that wanted it
 * last, and passes the next wish on to that one: so hosts that wait form a queue, each knowing who
 * comes after it. Threads of a host hand a lock over among themselves, but not for ever if another
 * host waits. What the next host must know of writes comes with the lock.
 */
#include "dsm/inside.h"

#include <string.h>

enum { HANDOVERS = 16 }; /* inside a host, while another one waits */

struct fl_dsm_lock {
    struct fl_mutex mutex;
    _Atomic uint32_t word; /* a wait word: changes when the lock may be free, or has come */
    uint32_t waiting, handed;
    bool here, held, wanted, came;
    bool next; /* a host waits for this one, and knows: */
    unsigned next_host;
    uint32_t *next_known;
    struct fl_bytes heard; /* what has come with the lock */
    unsigned last;         /* as the manager: who wanted it last */
};

static struct fl_dsm_lock *lock_of(const struct fl_comm_call *call) {
    if (fl_dsm_large(call) > FL_DSM_LOCKS) {
        fl_dsm_bad(call, "it is about a lock that is not there");
    }
    return &fl_dsm.locks[fl_dsm_large(call)];
}

void fl_dsm_locks_start(void) {
    fl_dsm.locks = fl_dsm_memory(FL_DSM_LOCKS + 1, sizeof *fl_dsm.locks);
    for (unsigned l = 0; l <= FL_DSM_LOCKS; l++) {
        fl_dsm.locks[l].last = l % fl_dsm.hosts;
        fl_dsm.locks[l].here = l % fl_dsm.hosts == fl_dsm.me;
    }
}

/* For who has the lock's mutex. */
static void change(struct fl_dsm_lock *lock) {
    /* Relaxed: the mutex orders it. */
    uint32_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);
    fl_wait_publish(&lock->word, (word & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
}

static uint32_t current(struct fl_dsm_lock *lock) {
    return atomic_load_explicit(&lock->word, memory_order_relaxed) & ~(uint32_t)FL_WAIT_SLEEPING;
}

/* ---- between hosts ---- */

static void want(unsigned id) {
    struct fl_bytes known = {0};
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_say(&fl_dsm.known.time, &known);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    const uint64_t word = fl_dsm_word(FL_DSM_WANT, fl_dsm.me, id);
    fl_dsm_send(id % fl_dsm.hosts, &word, 1, known.at, known.n);
    fl_bytes_release(&known);
}

static void grant(unsigned id, unsigned host, const uint32_t *theirs) {
    struct fl_bytes news = {0};
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_tell(&fl_dsm.known.time, theirs, fl_dsm.known.late, &news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    fl_dsm_send_parts(host, FL_DSM_GRANT, id, &news);
    fl_bytes_release(&news);
}

void fl_dsm_serve_grant(void *context, const struct fl_comm_call *call) {
    (void)context;
    struct fl_dsm_lock *lock = lock_of(call);
    fl_bytes_add(&lock->heard, call->payload, call->bytes);
    if (!fl_dsm_small(call)) {
        fl_mutex_lock(&lock->mutex);
        lock->came = true;
        change(lock);
        fl_mutex_unlock(&lock->mutex);
    }
}

/* This host wanted the lock last: `host` comes after it. */
static void serve_next(const struct fl_comm_call *call) {
    struct fl_dsm_lock *lock = lock_of(call);
    uint32_t theirs[fl_dsm.hosts];
    struct fl_text text = fl_text(call->payload, call->bytes);
    if (!fl_time_hear(fl_dsm.hosts, &text, theirs) || fl_dsm_small(call) >= fl_dsm.hosts) {
        fl_dsm_bad(call, "it is no wish for a lock");
    }
    fl_mutex_lock(&lock->mutex);
    bool free_here = lock->here && !lock->held && lock->waiting == 0;
    if (free_here) {
        lock->here = false;
    } else {
        if (!lock->next_known) {
            lock->next_known = fl_dsm_memory(fl_dsm.hosts, sizeof *theirs);
        }
        memcpy(lock->next_known, theirs, sizeof theirs);
        lock->next_host = fl_dsm_small(call);
        lock->next = true;
    }
    fl_mutex_unlock(&lock->mutex);
    if (free_here) {
        grant(fl_dsm_large(call), fl_dsm_small(call), theirs);
    }
}

void fl_dsm_serve_next(void *context, const struct fl_comm_call *call) {
    (void)context;
    serve_next(call);
}

void fl_dsm_serve_want(void *context, const struct fl_comm_call *call) {
    (void)context;
    struct fl_dsm_lock *lock = lock_of(call);
    unsigned last = lock->last;
    lock->last = fl_dsm_small(call);
    if (last == fl_dsm.me) {
        serve_next(call);
    } else {
        const uint64_t word = fl_dsm_word(FL_DSM_NEXT, fl_dsm_small(call), fl_dsm_large(call));
        fl_dsm_send(last, &word, 1, call->payload, call->bytes);
    }
}

/* ---- threads ---- */

/* The lock's mutex is given back meanwhile. */
static void fetch_lock(unsigned id, struct fl_dsm_lock *lock) {
    lock->wanted = true;
    fl_mutex_unlock(&lock->mutex);
    FL_DSM_ADD(locks, 1);
    want(id);
    fl_mutex_lock(&lock->mutex);
    while (!lock->came) {
        uint32_t before = current(lock);
        fl_mutex_unlock(&lock->mutex);
        fl_wait_change(&lock->word, before, fl_dsm.setup.wait);
        fl_mutex_lock(&lock->mutex);
    }
    fl_mutex_unlock(&lock->mutex);
    fl_dsm_order_lock();
    fl_interval_learn(&lock->heard);
    fl_mutex_unlock(&fl_dsm.order);
    fl_mutex_lock(&lock->mutex);
    lock->heard.n = 0;
    lock->wanted = lock->came = false;
    lock->here = true;
}

void fl_dsm_acquire(unsigned id) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    lock->waiting++;
    bool begun = (!lock->here || lock->held) && fl_wait_begin_inside("a lock");
    while (!lock->here || lock->held) {
        if (!lock->here && !lock->wanted) {
            fetch_lock(id, lock);
            continue;
        }
        uint32_t before = current(lock);
        fl_mutex_unlock(&lock->mutex);
        fl_wait_change(&lock->word, before, fl_dsm.setup.wait);
        fl_mutex_lock(&lock->mutex);
    }
    fl_wait_end_inside(begun);
    lock->waiting--;
    lock->held = true;
    fl_mutex_unlock(&lock->mutex);
}

/* ---- trying ---- */

void fl_dsm_serve_who(void *context, const struct fl_comm_call *call) {
    (void)context;
    uint64_t host = lock_of(call)->last;
    fl_comm_answer(call->asker, &host, 1, NULL, 0);
}

/* For who has the lock's mutex. */
static bool is_free(const struct fl_dsm_lock *lock) {
    return lock->here && !lock->held && lock->waiting == 0 && !lock->next;
}

void fl_dsm_serve_free(void *context, const struct fl_comm_call *call) {
    (void)context;
    struct fl_dsm_lock *lock = lock_of(call);
    fl_mutex_lock(&lock->mutex);
    uint64_t is = is_free(lock);
    fl_mutex_unlock(&lock->mutex);
    fl_comm_answer(call->asker, &is, 1, NULL, 0);
}

static uint64_t ask_about(unsigned id, unsigned host, enum fl_dsm_kind kind) {
    const uint64_t word = fl_dsm_word(kind, 0, id);
    struct fl_comm_answer answer = {0};
    if (host != fl_dsm.me) {
        FL_DSM_ADD(messages, 1);
    }
    fl_comm_ask(host, FL_COMM_DSM, &word, 1, NULL, 0, &answer);
    return answer.words[0];
}

bool fl_dsm_acquire_try(unsigned id) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    bool here = lock->here;
    bool got = is_free(lock);
    lock->held = lock->held || got;
    fl_mutex_unlock(&lock->mutex);
    if (here) {
        return got;
    }
    unsigned last = (unsigned)ask_about(id, id % fl_dsm.hosts, FL_DSM_WHO);
    if (last == fl_dsm.me || !ask_about(id, last, FL_DSM_FREE)) {
        return false;
    }
    fl_dsm_acquire(id);
    return true;
}

/* ---- giving back ---- */

/* Whether a thread of this host gets it next, for whom no interval need end. */
static bool hand_over(struct fl_dsm_lock *lock) {
    if (lock->waiting == 0 || (lock->next && lock->handed >= HANDOVERS)) {
        return false;
    }
    lock->handed++;
    lock->held = false;
    change(lock);
    return true;
}

void fl_dsm_release(unsigned id) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    bool handed = hand_over(lock);
    fl_mutex_unlock(&lock->mutex);
    if (handed) {
        return;
    }
    fl_dsm_order_lock();
    fl_interval_end();
    fl_mutex_unlock(&fl_dsm.order);
    fl_mutex_lock(&lock->mutex);
    bool leaves = lock->next;
    unsigned host = lock->next_host;
    uint32_t theirs[fl_dsm.hosts];
    if (leaves) {
        memcpy(theirs, lock->next_known, sizeof theirs);
    }
    lock->next = false;
    lock->here = !leaves;
    lock->held = false;
    lock->handed = 0;
    change(lock);
    fl_mutex_unlock(&lock->mutex);
    if (leaves) {
        grant(id, host, theirs);
    }
}
