/* SPDX-License-Identifier: BSD-3-Clause */
/* See hosts.h. */
#include "omp/hosts.h"

#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/program.h"

#include <stdlib.h>
#include <string.h>

enum kind {
    QUIET, /* to host 0; whether at the region's end */
    GO_ON, /* from host 0; the same, of any host */
    CANCEL /* region, barriers before, what */
};

struct message {
    uint64_t kind;
    uint64_t words[3];
};

/* Of this host. */
static struct {
    struct fl_mutex mutex; /* of all but what is atomic */
    struct fl_omp_team *team; /* of the region; null: there is none */
    uint64_t region, barriers; /* so many have begun; been passed in it */
    bool over;                 /* hosts have agreed that it is */
    struct {
        uint64_t region, barriers; /* the latest that is known */
        uint32_t what;
    } cancelled;
    _Atomic uint32_t agreed; /* GOES_ON, IS_OVER; 0: not yet */
    atomic_bool told_quiet;
} here;

enum { GOES_ON = 1, IS_OVER };

/* What host 0 knows of all. For handlers. */
static struct {
    unsigned quiet;
    bool over;
} all;

/* For who does not have the mutex: it may run handlers. */
static void tell(unsigned host, enum kind kind, uint64_t a, uint64_t b, uint64_t c) {
    const struct message message = {kind, {a, b, c}};
    fl_omp_far.tell(host, &message, sizeof message);
}

/* ---- agreeing ---- */

static void serve_quiet(bool over) {
    all.over = all.over || over;
    if (++all.quiet < fl_omp_far.hosts) {
        return;
    }
    over = all.over;
    all.quiet = 0;
    all.over = false;
    for (unsigned host = 0; host < fl_omp_far.hosts; host++) {
        tell(host, GO_ON, over, 0, 0);
    }
}

static void serve_go_on(bool over) {
    fl_mutex_lock(&here.mutex);
    /* [H1] pairs [H2]. Before the ring. */
    atomic_store_explicit(&here.agreed, over ? IS_OVER : GOES_ON, memory_order_seq_cst);
    fl_omp_ring(here.team);
    fl_mutex_unlock(&here.mutex);
}

static bool have_agreed(void) {
    /* [H2] pairs [H1]. */
    return atomic_load_explicit(&here.agreed, memory_order_seq_cst) != 0;
}

/* Whether host 0 must be told. Relaxed: only the thread that waits changes it to true. */
static bool turns_quiet(struct fl_omp_team *team) {
    return !atomic_load_explicit(&here.told_quiet, memory_order_relaxed) &&
           fl_omp_tasks_ended(team);
}

static bool agreed_or_quiet(void *team) {
    fl_omp_far.poll();
    return have_agreed() || turns_quiet(team);
}

/* Until all hosts have agreed. */
static void agree(struct fl_omp_member *me, bool at_end) {
    if (here.over) {
        return;
    }
    /* Relaxed, both: host 0 answers later. */
    atomic_store_explicit(&here.agreed, 0, memory_order_relaxed);
    atomic_store_explicit(&here.told_quiet, false, memory_order_relaxed);
    for (;;) {
        fl_omp_wait_in_barrier(me, &me->team->bell, agreed_or_quiet, me->team);
        if (have_agreed()) {
            break;
        }
        atomic_store_explicit(&here.told_quiet, true, memory_order_relaxed);
        tell(0, QUIET, at_end, 0, 0);
    }
    here.over = atomic_load_explicit(&here.agreed, memory_order_relaxed) == IS_OVER;
}

/* ---- cancelling ---- */

/* For who has the mutex: the team's members see what is cancelled of their region. */
static void apply(void) {
    struct fl_omp_team *team = here.team;
    if (!team || here.cancelled.region != here.region) {
        return;
    }
    uint32_t what = here.cancelled.what;
    if (here.cancelled.barriers != here.barriers) {
        what &= FL_OMP_CANCEL_PARALLEL;
    }
    /* [C1] pairs [C2] in barrier.c. */
    if (what & ~atomic_fetch_or_explicit(&team->cancelled, what, memory_order_seq_cst)) {
        fl_omp_ring(team);
    }
}

static void serve_cancel(uint64_t region, uint64_t barriers, uint32_t what) {
    fl_mutex_lock(&here.mutex);
    if (region > here.cancelled.region) {
        here.cancelled.region = region;
        here.cancelled.barriers = barriers;
        here.cancelled.what = what;
    } else if (region == here.cancelled.region && barriers > here.cancelled.barriers) {
        here.cancelled.barriers = barriers;
        here.cancelled.what = what | (here.cancelled.what & FL_OMP_CANCEL_PARALLEL);
    } else if (region == here.cancelled.region) {
        bool late = barriers < here.cancelled.barriers;
        here.cancelled.what |= late ? what & FL_OMP_CANCEL_PARALLEL : what;
    }
    apply();
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_hosts_cancel(uint32_t what) {
    fl_mutex_lock(&here.mutex);
    uint64_t region = here.region, barriers = here.barriers;
    fl_mutex_unlock(&here.mutex);
    for (unsigned host = 0; host < fl_omp_far.hosts; host++) {
        if (host != fl_omp_far.me) {
            tell(host, CANCEL, region, barriers, what);
        }
    }
}

/* ---- regions ---- */

/* The same on all hosts. */
static bool programs_agree(void) {
    static enum { UNKNOWN, NO, YES } known; /* of the thread that begins regions */
    if (known == UNKNOWN) {
        known = fl_omp_program.cancellation ? YES : NO;
    }
    return known == YES;
}

void fl_omp_hosts_begin(struct fl_omp_team *team) {
    team->agrees = programs_agree();
    fl_mutex_lock(&here.mutex);
    here.team = team;
    here.region++;
    here.barriers = 0;
    here.over = false;
    apply();
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_hosts_barrier(struct fl_omp_member *me) {
    if (me->team->agrees) {
        agree(me, false);
    }
    if (here.over) {
        /* Relaxed: published by the team's state. */
        atomic_fetch_or_explicit(&me->team->cancelled, FL_OMP_CANCEL_PARALLEL, memory_order_relaxed);
    } else {
        fl_omp_far.barrier();
    }
}

bool fl_omp_hosts_are_over(void) {
    return here.over;
}

void fl_omp_hosts_passed(void) {
    fl_mutex_lock(&here.mutex);
    here.barriers++;
    apply();
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_hosts_end(struct fl_omp_member *me) {
    if (me->team->agrees) {
        agree(me, true);
    }
    fl_mutex_lock(&here.mutex);
    here.team = NULL;
    fl_mutex_unlock(&here.mutex);
}

/* ---- messages ---- */

static void told(unsigned from, const void *bytes, size_t n) {
    struct message message = {0};
    memcpy(&message, bytes, n < sizeof message ? n : sizeof message);
    switch (n < sizeof message ? UINT64_MAX : message.kind) {
    case QUIET:
        serve_quiet(message.words[0]);
        return;
    case GO_ON:
        serve_go_on(message.words[0]);
        return;
    case CANCEL:
        serve_cancel(message.words[0], message.words[1], (uint32_t)message.words[2]);
        return;
    default:
        fl_fatal(FL_CODE_BAD_MESSAGE, "host %u sent a message about a parallel region that makes no "
                 "sense", from);
    }
}

__attribute__((constructor)) static void offer(void) {
    if (&fl_omp_far) {
        fl_omp_far.told = told;
    }
}
