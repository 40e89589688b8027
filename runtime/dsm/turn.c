/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns (FURLONG_DSM_TURN). Where threads of several hosts take many locks in no order, most locks are
 * elsewhere, and to move one takes many times what its holder does with it. A host alone would soon
 * have all of them. So a host that takes locks much faster than they move, and mostly locks that it has
 * had before, keeps what others want: for its turn, each for some acquisitions, and only from hosts whose
 * turn is younger. A host's turn is as old as the end of its last one: after that all others come
 * first. So two hosts do not keep from each other what both need, and a host that keeps none from
 * others gets each at once.
 * D. Rosenkrantz, R. Stearns, P. Lewis: System level concurrency control for distributed database
 * systems (TODS 1978), which has the order by age.
 */
#include "dsm/inside.h"

enum {
    /* Acquisitions, or time, from one judgement to the next. */
    SAMPLE = 64,
    SAMPLE_NS = 500000,
    /* Between two acquisitions of a thread, apart from its waits. */
    DENSE_NS = 25000,
    /* At most this part of the acquisitions is of locks that are not among the host's last NEAR: else a
     * turn is over before it comes back to them. */
    FAR_SHARE = 4,
    NEAR = 4096,
    /* All threads of the host wait so long for locks, longer than one takes to move: perhaps for a host
     * that waits for a lock that is kept here. */
    BLOCKED_NS = 1000000,
    /* A host whose turn is older has asked so lately that it may wait behind the one from which a lock
     * would be kept. */
    RIVAL_NS = 5000000,
    LEAST_NS = 2000000, /* of a turn */
};

/* What the threads of this host have done so far. */
struct counts {
    uint64_t ns;        /* the time */
    uint64_t waited_ns; /* for locks, in faults, and at ends of intervals, in all */
    uint32_t taken, far; /* locks; and locks that they had not had for long */
};

static struct {
    _Atomic uint32_t taken, far;
    struct fl_mutex mutex; /* guards the rest */
    uint32_t number;       /* of this host's turn */
    uint32_t last;         /* of the youngest turn that it has heard of */
    unsigned waiting;      /* threads that wait for a lock */
    uint64_t waited_ns;    /* so far; of a wait that goes on, the time of its begin is subtracted */
    uint64_t blocked_ns;   /* the last wait's begin */
    uint64_t rival_ns;     /* when a host asked last whose turn is older, and pays */
    bool pays;             /* to keep locks, as of: */
    struct counts judged;
    bool is_on; /* other hosts wait for locks that are kept, since: */
    struct counts begun;
} turn;

void fl_turn_take(uint32_t *last) {
    /* Relaxed, both: nothing is published by a count. */
    uint32_t now = 1 + atomic_fetch_add_explicit(&turn.taken, 1, memory_order_relaxed);
    if (*last == 0 || now - *last > NEAR) {
        atomic_fetch_add_explicit(&turn.far, 1, memory_order_relaxed);
    }
    *last = now;
}

/* Of fl_dsm_thread_spent_ns: what is in turn.waited_ns already. */
static _Thread_local uint64_t counted_ns;

void fl_turn_begin_wait(uint64_t now) {
    fl_mutex_lock(&turn.mutex);
    turn.waited_ns += fl_dsm_thread_spent_ns - counted_ns - now;
    turn.blocked_ns = now;
    turn.waiting++;
    fl_mutex_unlock(&turn.mutex);
}

void fl_turn_end_wait(uint64_t now) {
    fl_mutex_lock(&turn.mutex);
    fl_assert(turn.waiting > 0);
    turn.waiting--;
    turn.waited_ns += now;
    fl_mutex_unlock(&turn.mutex);
    counted_ns = fl_dsm_thread_spent_ns;
}

struct fl_turn fl_turn_now(void) {
    fl_mutex_lock(&turn.mutex);
    struct fl_turn now = {.host = (uint16_t)fl_dsm.me, .pays = turn.pays, .number = turn.number};
    fl_mutex_unlock(&turn.mutex);
    return now;
}

/* The caller holds the mutex, as of those below. */
static struct counts count(void) {
    uint64_t now = fl_os_now_ns();
    return (struct counts){
        .ns = now,
        .waited_ns = turn.waited_ns + turn.waiting * now,
        .taken = atomic_load_explicit(&turn.taken, memory_order_relaxed),
        .far = atomic_load_explicit(&turn.far, memory_order_relaxed),
    };
}

static void judge(struct counts now) {
    uint32_t taken = now.taken - turn.judged.taken, far = now.far - turn.judged.far;
    uint64_t ns = now.ns - turn.judged.ns, waited_ns = now.waited_ns - turn.judged.waited_ns;
    if (taken >= SAMPLE || ns >= SAMPLE_NS) {
        turn.pays = ns * fl_dsm.setup.threads < waited_ns + (uint64_t)DENSE_NS * (taken + 1) &&
                    far * FAR_SHARE <= taken;
        turn.judged = now;
    }
}

/* A turn pays once the host has its locks: it lasts as long again as the host has waited for them. */
static bool is_over(struct counts now) {
    uint64_t ns = now.ns - turn.begun.ns;
    uint64_t waited_ns = (now.waited_ns - turn.begun.waited_ns) / fl_dsm.setup.threads;
    return ns > fl_dsm.policies.turn_ns || (ns > LEAST_NS && waited_ns < ns / 2);
}

bool fl_turn_keeps(struct fl_turn theirs) {
    /* What is written after a release that is put off goes with it: a race would look ordered. */
    if (fl_dsm.policies.turn_ns == 0 || fl_dsm.setup.check) {
        return false;
    }
    fl_mutex_lock(&turn.mutex);
    struct counts now = count();
    judge(now);
    turn.last = theirs.number > turn.last ? theirs.number : turn.last;
    bool older = turn.number < theirs.number ||
                 (turn.number == theirs.number && fl_dsm.me < theirs.host);
    turn.rival_ns = theirs.pays && !older ? now.ns : turn.rival_ns;
    bool blocked = turn.waiting >= fl_dsm.setup.threads && now.ns - turn.blocked_ns > BLOCKED_NS;
    bool keeps = turn.pays && older && !blocked && now.ns - turn.rival_ns > RIVAL_NS;
    if (keeps && !turn.is_on) {
        turn.is_on = true;
        turn.begun = now;
    }
    if (keeps && is_over(now)) {
        turn.is_on = keeps = false;
        turn.number = turn.last + 1;
    }
    fl_mutex_unlock(&turn.mutex);
    return keeps;
}

void fl_turn_end(void) {
    fl_mutex_lock(&turn.mutex);
    turn.pays = turn.is_on = false;
    fl_mutex_unlock(&turn.mutex);
}
