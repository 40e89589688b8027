/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks. A lock is at one host at a time. Each has a manager, which knows the host that requested
 * it last, and passes the next request on to that one: so waiting hosts form a queue, each knowing
 * its successor. Threads of a host hand a lock over among themselves, but only so often if another
 * host waits. The grant has the notices that the next host does not know.
 *
 * Handlers use a lock of atomic operations for updates of other hosts (update.c). It is then at the
 * home of the memory, which requests it without a thread that waits for it. The home lends the lock
 * to a host that has sent many updates of this memory in a row: threads there update their copy
 * of the page, without messages once the page has come. A recall costs several messages; so after
 * each one, a host must have sent twice as many updates.
 * A. Karlin et al.: Competitive snoopy caching (Algorithmica 1988).
 */
#include "dsm/inside.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    HANDOVERS = 16, /* inside a host, while another one waits */
    STAYS = 2,      /* releases in a row without a waiter, after which none is expected */
    LEND_AFTER = 256, /* updates of one host in a row */
    RECALLS_MOST = 3
};

struct fl_dsm_lock {
    struct fl_mutex mutex;
    _Atomic uint32_t word; /* a wait word: changes when the lock may be free, or has come */
    uint32_t waiting, handed;
    bool used; /* initialised: a lock is at its manager at first, and free */
    bool here, held, wanted, came;
    uint32_t taken; /* when last, by a thread of this host: see fl_turn_take */
    uint8_t stays; /* releases in a row without a waiter, at most STAYS */
    bool put_off; /* the interval of its last release had not ended then: */
    uint64_t since;
    bool for_handlers; /* requested by a handler: no thread waits for it */
    uint32_t served;   /* 1 + epoch in which a handler last wrote under it, on any host */
    uint32_t fetched;  /* 1 + page whose older copy this host has dropped since it has the lock */
    bool lent;         /* by the home: threads here take it, and do not send updates */
    struct {
        uint16_t host, times; /* 1 + host of the last updates; how many in a row */
        uint8_t recalls;      /* times that it was lent and recalled, at most RECALLS_MOST */
        bool is_on;
    } lease; /* as the home */
    bool next; /* a host waits for the lock after this one; its turn and vector time: */
    struct fl_turn next_turn;
    uint32_t *next_known;
    bool kept;  /* from that host, though no thread has it */
    bool tried; /* whether that is over, by: */
    struct fl_comm_deferred keeping;
    struct fl_bytes heard; /* notices that have come with the lock */
    unsigned last;         /* as the manager: 1 + host that requested it last; 0: none has */
};

static unsigned check_id(const struct fl_comm_call *call, unsigned id) {
    if (id >= FL_DSM_LOCKS_END) {
        fl_dsm_bad(call, "it is about a lock that is not there");
    }
    return id;
}

/* Relaxed: threads of this host have seen the end of their last barrier; if a handler has not, the
 * notices of what it takes for the same epoch have come twice. */
static uint32_t epoch_now(void) {
    return atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed);
}

void fl_dsm_locks_start(void) {
    fl_dsm.locks = fl_dsm_memory(FL_DSM_LOCKS_END, sizeof *fl_dsm.locks);
}

static unsigned manager_of(unsigned id) {
    return id % fl_dsm.hosts;
}

/* Returns the lock with its mutex held. */
static struct fl_dsm_lock *enter(unsigned id) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    if (FL_UNLIKELY(!lock->used)) {
        lock->used = true;
        lock->here = manager_of(id) == fl_dsm.me;
    }
    return lock;
}

/* On the manager, by handlers. */
static unsigned last_of(unsigned id) {
    unsigned last = fl_dsm.locks[id].last;
    return last ? last - 1 : manager_of(id);
}

/* The caller holds the lock's mutex. */
static void change(struct fl_dsm_lock *lock) {
    fl_assert(lock->here ? !lock->wanted && !lock->came : !lock->held);
    fl_assert(lock->wanted || !lock->came);
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
    fl_dsm_say_known(&known);
    struct fl_turn turn = fl_turn_now();
    fl_bytes_add_number(&known, turn.number << 1 | turn.pays);
    FL_DSM_SEND(manager_of(id), want, known.at, known.n, .host = (uint16_t)fl_dsm.me, .lock = id);
    fl_bytes_release(&known);
}

static void grant(unsigned id, unsigned host, const uint32_t *theirs, bool served) {
    struct fl_bytes news = {0};
    fl_dsm_tell_news(theirs, &news);
    FL_DSM_SEND_PARTS(host, grant, &news, .served = served, .lock = id);
    fl_bytes_release(&news);
}

void fl_dsm_serve_grant(const struct fl_comm_call *call, const struct fl_dsm_grant_message *word) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[check_id(call, word->lock)];
    fl_bytes_add(&lock->heard, call->payload, call->bytes);
    if (!word->more) {
        fl_mutex_lock(&lock->mutex);
        fl_assert(lock->wanted && !lock->came && !lock->here);
        lock->came = true;
        lock->served = word->served ? 1 + epoch_now() : 0;
        lock->fetched = 0;
        change(lock);
        fl_mutex_unlock(&lock->mutex);
    }
}

static void *copy_of(const void *bytes, size_t n) {
    void *kept = FL_ALLOCATED(malloc(n), "a host that waits for a lock");
    return memcpy(kept, bytes, n);
}

/* Passes the lock on to the host that waits for it; without one, frees it here. */
static void pass_on(unsigned id) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    fl_assert(lock->here && lock->held);
    bool leaves = lock->next;
    unsigned host = lock->next_turn.host;
    uint32_t *theirs = lock->next_known;
    lock->next = lock->kept = false;
    lock->here = !leaves;
    lock->held = false;
    lock->put_off = false;
    lock->lent = lock->lent && !leaves;
    lock->handed = 0;
    bool served = lock->served == 1 + epoch_now();
    lock->stays = leaves ? 0 : (uint8_t)(lock->stays + (lock->stays < STAYS));
    change(lock);
    fl_mutex_unlock(&lock->mutex);
    if (leaves) {
        grant(id, host, theirs, served);
        free(theirs);
    }
}

struct leaving {
    struct fl_comm_deferred deferred;
    unsigned id;
};

/* The holder of `order` may wait for other hosts, but not for this lock: so either it ends the
 * interval, or it releases `order`, and another try succeeds. */
static bool try_to_leave(struct fl_comm_deferred *deferred) {
    struct leaving *leaving = (struct leaving *)deferred;
    if (!fl_interval_is_over(fl_dsm.locks[leaving->id].since)) {
        if (!fl_mutex_try(&fl_dsm.order)) {
            return false;
        }
        fl_interval_end();
        fl_mutex_unlock(&fl_dsm.order);
    }
    pass_on(leaving->id);
    free(leaving);
    return true;
}

/* The lock counts as held, so that no thread of this host takes it. */
static void leave(unsigned id) {
    struct leaving *leaving = copy_of(&(struct leaving){{.try = try_to_leave}, id}, sizeof *leaving);
    if (!try_to_leave(&leaving->deferred)) {
        fl_comm_defer(&leaving->deferred);
    }
}

static void let_go(unsigned id, bool put_off) {
    if (put_off) {
        leave(id);
    } else {
        pass_on(id);
    }
}

/* Whether the lock, which is free, stays although another host wants it; the caller holds its mutex. */
static bool keeps(struct fl_dsm_lock *lock) {
    lock->kept = lock->next && lock->handed < HANDOVERS && fl_turn_keeps(lock->next_turn);
    return lock->kept;
}

/* A lock that a thread has is passed on when it is released. */
static bool try_to_stop_keeping(struct fl_comm_deferred *deferred) {
    struct fl_dsm_lock *lock =
        (struct fl_dsm_lock *)((char *)deferred - offsetof(struct fl_dsm_lock, keeping));
    fl_mutex_lock(&lock->mutex);
    bool is_kept = lock->kept && keeps(lock);
    bool leaves = !is_kept && lock->here && !lock->held && lock->waiting == 0 && lock->next;
    bool put_off = lock->put_off;
    lock->held = lock->held || leaves;
    lock->tried = is_kept;
    fl_mutex_unlock(&lock->mutex);
    if (leaves) {
        let_go((unsigned)(lock - fl_dsm.locks), put_off);
    }
    return !is_kept;
}

/* The lock is kept; the caller holds its mutex. Returns whether it has to call fl_comm_defer then. */
static bool begin_to_keep(struct fl_dsm_lock *lock) {
    bool begins = !lock->tried;
    if (begins) { /* else the item is comm's */
        FL_DSM_ADD(locks_kept, 1);
        lock->tried = true;
        lock->keeping.try = try_to_stop_keeping;
    }
    return begins;
}

/* This host requested the lock last: `host` is its successor. */
static void follow(const struct fl_comm_call *call, unsigned id, unsigned host) {
    uint32_t theirs[fl_dsm.hosts], turn;
    struct fl_text text = fl_text(call->payload, call->bytes);
    if (!fl_time_hear(fl_dsm.hosts, &text, theirs) || !fl_text_number(&text, &turn) ||
        host >= fl_dsm.hosts) {
        fl_dsm_bad(call, "it is no wish for a lock");
    }
    struct fl_dsm_lock *lock = enter(check_id(call, id));
    bool free_here = lock->here && !lock->held && lock->waiting == 0;
    fl_assert(!lock->next && (lock->here || lock->wanted));
    lock->next_known = copy_of(theirs, sizeof theirs);
    lock->next_turn = (struct fl_turn){(uint16_t)host, turn & 1, turn >> 1};
    lock->next = true;
    bool stays = free_here && keeps(lock), begins = stays && begin_to_keep(lock);
    lock->held = lock->held || (free_here && !stays);
    bool put_off = lock->put_off;
    fl_mutex_unlock(&lock->mutex);
    if (begins) {
        fl_comm_defer(&lock->keeping);
    }
    if (free_here && !stays) {
        let_go(id, put_off);
    }
}

void fl_dsm_serve_next(const struct fl_comm_call *call, const struct fl_dsm_next_message *word) {
    follow(call, word->lock, word->host);
}

void fl_dsm_serve_want(const struct fl_comm_call *call, const struct fl_dsm_want_message *word) {
    unsigned id = check_id(call, word->lock), last = last_of(id);
    fl_dsm.locks[id].last = 1 + word->host;
    if (last == fl_dsm.me) {
        follow(call, id, word->host);
    } else {
        FL_DSM_SEND(last, next, call->payload, call->bytes, .host = word->host, .lock = id);
    }
}

/* ---- threads ---- */

/* Releases the lock's mutex meanwhile. */
static void fetch_lock(unsigned id, struct fl_dsm_lock *lock) {
    lock->wanted = true;
    fl_mutex_unlock(&lock->mutex);
    FL_DSM_ADD(locks, 1);
    fl_update_await_lock(id); /* no more are begun */
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
    fl_bytes_release(&lock->heard); /* there may be a great many locks */
    fl_assert(lock->came && !lock->here && !lock->held && !lock->for_handlers);
    lock->wanted = lock->came = false;
    lock->here = true;
}

/* For a thread; the caller holds the lock's mutex. */
static void take(struct fl_dsm_lock *lock) {
    lock->held = true;
    lock->lease.times = 0;
    fl_turn_take(&lock->taken);
}

void fl_dsm_acquire(unsigned id) {
    struct fl_dsm_lock *lock = enter(id);
    lock->waiting++;
    bool waits = !lock->here || lock->held;
    uint64_t since = waits ? fl_os_now_ns() : 0;
    bool begun = waits && fl_wait_begin_inside("a lock");
    if (waits) {
        fl_turn_begin_wait(since);
    }
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
    fl_assert(lock->waiting > 0);
    lock->waiting--;
    take(lock);
    fl_mutex_unlock(&lock->mutex);
    if (waits) {
        uint64_t now = fl_os_now_ns();
        fl_dsm_thread_spent_ns += now - since;
        fl_turn_end_wait(now);
    }
}

/* ---- trying ---- */

void fl_dsm_serve_who(const struct fl_comm_call *call, const struct fl_dsm_who_message *word) {
    uint64_t host = last_of(check_id(call, word->lock));
    fl_comm_answer(call->asker, &host, 1, NULL, 0);
}

/* The caller holds the lock's mutex. */
static bool is_free(const struct fl_dsm_lock *lock) {
    return lock->here && !lock->held && lock->waiting == 0 && !lock->next;
}

void fl_dsm_serve_free(const struct fl_comm_call *call, const struct fl_dsm_free_message *word) {
    struct fl_dsm_lock *lock = enter(check_id(call, word->lock));
    uint64_t is = is_free(lock);
    fl_mutex_unlock(&lock->mutex);
    fl_comm_answer(call->asker, &is, 1, NULL, 0);
}

bool fl_dsm_acquire_try(unsigned id) {
    struct fl_dsm_lock *lock = enter(id);
    bool here = lock->here;
    bool got = is_free(lock) || (lock->kept && here && !lock->held && lock->waiting == 0);
    if (got) {
        take(lock);
    }
    fl_mutex_unlock(&lock->mutex);
    if (here) {
        return got;
    }
    struct fl_comm_answer last = {0}, is = {0};
    FL_DSM_ASK(manager_of(id), who, NULL, 0, &last, .lock = id);
    if (last.words[0] == fl_dsm.me) {
        return false;
    }
    FL_DSM_ASK((unsigned)last.words[0], free, NULL, 0, &is, .lock = id);
    if (!is.words[0]) {
        return false;
    }
    fl_dsm_acquire(id);
    return true;
}

/* ---- releasing ---- */

/* Whether a thread of this host gets the lock next, for which no interval need end. */
static bool hand_over(struct fl_dsm_lock *lock) {
    if (lock->waiting == 0 || (lock->next && lock->handed >= HANDOVERS)) {
        return false;
    }
    lock->handed++;
    lock->held = false;
    change(lock);
    return true;
}

/* Whether the lock stays here, free: the interval may end when another host wants the lock, or gets it. */
static bool put_off(struct fl_dsm_lock *lock, bool relaxed) {
    bool stays = lock->stays >= STAYS || relaxed;
    if (lock->waiting > 0 || !(lock->next ? keeps(lock) : stays)) {
        return false;
    }
    lock->put_off = true;
    lock->since = fl_interval_put_off();
    lock->held = false;
    lock->handed = lock->next ? lock->handed + 1 : 0;
    change(lock);
    return true;
}

static void release(unsigned id, bool relaxed) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    fl_assert(lock->here && lock->held);
    bool done = hand_over(lock) || put_off(lock, relaxed);
    bool begins = done && lock->kept && begin_to_keep(lock);
    fl_mutex_unlock(&lock->mutex);
    if (FL_UNLIKELY(begins)) {
        fl_comm_defer(&lock->keeping);
    }
    if (!done) {
        uint64_t since = fl_os_now_ns();
        fl_dsm_order_lock();
        fl_interval_end();
        fl_mutex_unlock(&fl_dsm.order);
        pass_on(id);
        fl_dsm_thread_spent_ns += fl_os_now_ns() - since;
    }
}

void fl_dsm_release(unsigned id) {
    fl_update_await();
    release(id, false);
}

void fl_lock_release(unsigned id) {
    release(id, false);
}

void fl_lock_release_relaxed(unsigned id) {
    release(id, true);
}

/* ---- for other hosts, by handlers ---- */

/* Whether an interval's diffs have come of all pages whose home is here. */
static bool has_come(const struct fl_interval *interval) {
    /* Relaxed: only handlers change it, and this is one. */
    uint32_t arrived = atomic_load_explicit(&fl_dsm.arrived[interval->host], memory_order_relaxed);
    bool come = interval->at_home || interval->host == fl_dsm.me || arrived >= interval->number;
    for (uint32_t r = 0; !come && r < interval->n_runs; r++) {
        uint32_t end = interval->runs[r].first + interval->runs[r].pages;
        for (uint32_t p = interval->runs[r].first; p < end && p < fl_dsm.map.pages; p++) {
            fl_page_lock(p);
            bool is_home = fl_dsm.pages[p].home == fl_dsm.me;
            fl_page_unlock(p);
            if (is_home) {
                return false;
            }
        }
    }
    return true;
}

/* Takes a lock that a handler has requested, with its notices. False: try again later. */
static bool take_grant(struct fl_dsm_lock *lock) {
    struct fl_text heard = fl_text(lock->heard.at, lock->heard.n);
    if (!fl_time_all_are(fl_dsm.hosts, heard, has_come) || !fl_interval_try_learn(&lock->heard)) {
        return false;
    }
    fl_mutex_lock(&lock->mutex);
    fl_assert(lock->came && lock->wanted && !lock->here);
    fl_bytes_release(&lock->heard);
    lock->wanted = lock->came = lock->for_handlers = false;
    lock->here = true;
    change(lock);
    fl_mutex_unlock(&lock->mutex);
    return true;
}

/* A host has sent an update; the caller holds the lock's mutex. Whether the lock is lent to it. */
static bool lends_to(struct fl_dsm_lock *lock, unsigned host) {
    bool same = lock->lease.host == host + 1;
    lock->lease.host = (uint16_t)(host + 1);
    unsigned times = same ? lock->lease.times + 1u : 1;
    lock->lease.times = (uint16_t)(times < UINT16_MAX ? times : UINT16_MAX);
    bool lends = lock->lease.times == LEND_AFTER << lock->lease.recalls;
    lock->lease.is_on = lock->lease.is_on || lends;
    return lends;
}

/* The home wants the lock for another host's update; the caller holds the lock's mutex. */
static void recall(struct fl_dsm_lock *lock) {
    lock->lease.recalls = (uint8_t)(lock->lease.recalls +
                                    (lock->lease.is_on && lock->lease.recalls < RECALLS_MOST));
    lock->lease.is_on = false;
    lock->lease.times = 0;
}

bool fl_lock_perform(const struct fl_atomic_wish *wish, unsigned host, bool *lends_p) {
    unsigned id = wish->lock;
    struct fl_dsm_lock *lock = enter(id);
    bool asks = !lock->here && !lock->wanted;
    bool takes = lock->for_handlers && lock->came;
    if (asks) {
        lock->wanted = lock->for_handlers = true;
        recall(lock);
    }
    fl_mutex_unlock(&lock->mutex);
    if (asks) {
        FL_DSM_ADD(locks, 1);
        want(id);
        return false;
    }
    if (takes && !take_grant(lock)) {
        return false;
    }
    fl_mutex_lock(&lock->mutex);
    bool is_free = lock->here && !lock->held;
    if (is_free) {
        fl_atomic_perform(wish);
        *lends_p = lends_to(lock, host);
        lock->served = 1 + epoch_now();
    }
    bool put_off = lock->put_off;
    bool leaves = is_free && lock->next && lock->waiting == 0;
    lock->held = lock->held || leaves;
    fl_mutex_unlock(&lock->mutex);
    if (leaves) {
        let_go(id, put_off);
    }
    return is_free;
}

enum fl_lock_place fl_lock_take_here(unsigned id) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id];
    fl_mutex_lock(&lock->mutex);
    bool here = lock->used && lock->here;
    bool takes = here && !lock->held && lock->waiting == 0;
    if (takes) {
        take(lock);
    }
    enum fl_lock_place place = takes                ? FL_LOCK_TAKEN
                               : here || lock->lent ? FL_LOCK_FOR_THREADS
                                                    : FL_LOCK_AWAY;
    fl_mutex_unlock(&lock->mutex);
    return place;
}

bool fl_lock_must_fetch(unsigned id, uint32_t page) {
    struct fl_dsm_lock *lock = &fl_dsm.locks[id]; /* which the thread has */
    bool must = lock->served == 1 + epoch_now() && lock->fetched != 1 + page;
    lock->fetched = 1 + page;
    return must;
}

void fl_lock_lend(unsigned id) {
    struct fl_dsm_lock *lock = enter(id);
    lock->lent = true;
    fl_mutex_unlock(&lock->mutex);
}

bool fl_lock_if_away(unsigned id, void act(void *context), void *context) {
    struct fl_dsm_lock *lock = enter(id);
    bool away = !lock->here && !lock->wanted && lock->waiting == 0 && !lock->lent;
    if (away) {
        act(context);
    }
    fl_mutex_unlock(&lock->mutex);
    return away;
}
