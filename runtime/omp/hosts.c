/* SPDX-License-Identifier: BSD-3-Clause */
/* See hosts.h. */
#include "omp/hosts.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/ends.h"
#include "omp/messages.h"
#include "omp/migrate.h"
#include "omp/profit.h"
#include "omp/program.h"
#include "omp/recorder.h"
#include "omp/watch.h"

#include <stdlib.h>
#include <string.h>

/* This host's state. */
static struct {
    struct fl_mutex mutex; /* of all but what is atomic */
    struct fl_omp_team *team; /* of the region; null: there is none */
    uint64_t region, barriers; /* regions begun; barriers passed in this one */
    uint64_t phase;            /* how often hosts have agreed to go on, as far as is known here */
    bool over;                 /* hosts have agreed that the region is over */
    bool closed;               /* the same, for host 0's handlers: no more tasks are given */
    struct {
        uint64_t region, barriers; /* the latest cancellation that is known */
        uint32_t what;
    } cancelled;
    _Atomic uint32_t agreed; /* GOES_ON, IS_OVER; 0: not yet */
    _Atomic uint32_t telling; /* members that are sending to host 0 */
} here;

enum { GOES_ON = 1, IS_OVER };

/* Idle hosts in a message. */
enum {
    REQUESTS_MOST =
        (FL_OMP_FAR_TOLD - sizeof(struct fl_omp_give_message)) / sizeof(struct fl_omp_request)
};

/* Host 0's state of all hosts. Only handlers use it. */
static struct {
    struct {
        bool quiet, plenty;
        enum fl_omp_hunger hungry;
        uint64_t given; /* grants to the host, received or in flight */
    } *hosts;
    unsigned quiet;
    unsigned turn; /* the host that is asked next, if it is overloaded */
    bool over;
    uint64_t phase; /* a message of an earlier phase comes too late */
} all;

struct fl_omp_far fl_omp_far;

void fl_omp_start(const struct fl_omp_far *far) {
    fl_omp_far = *far;
    all.hosts = FL_ALLOCATED(calloc(fl_omp_far.hosts, sizeof *all.hosts), "what hosts agree on");
    fl_omp_migrate_start();
    fl_omp_ends_start();
}

void fl_omp_end(void) {
    fl_omp_record_close();
}

/* ---- agreeing ---- */

/* The host does not count as quiet until it has received the grant, be it empty: else hosts might go
 * on while tasks are in flight. */
static void expect_grant(unsigned host) {
    fl_assert(all.quiet >= all.hosts[host].quiet);
    all.hosts[host].given++;
    all.hosts[host].hungry = FL_OMP_FOR_NONE;
    all.quiet -= all.hosts[host].quiet;
    all.hosts[host].quiet = false;
}

/* Asks an overloaded host to send tasks to all idle ones, or as many as a message has room for: the
 * others stay idle. A host may be overloaded, with tasks of others, while its members may execute
 * their own alone. False: none is idle. */
static bool request_from(unsigned from) {
    struct {
        struct fl_omp_give_message words;
        struct fl_omp_request requests[REQUESTS_MOST];
    } message;
    message.words = (struct fl_omp_give_message){.kind = fl_omp_kind_give};
    size_t n = 0;
    for (unsigned host = 0; host < fl_omp_far.hosts && n < REQUESTS_MOST; host++) {
        enum fl_omp_hunger hungry = all.hosts[host].hungry;
        if (host != from && hungry != FL_OMP_FOR_NONE) {
            message.requests[n++] = (struct fl_omp_request){host, hungry == FL_OMP_FOR_OWN};
            expect_grant(host);
        }
    }
    if (n > 0) {
        all.turn = from + 1;
        all.hosts[from].plenty = false;
        fl_omp_far_tell(from, &message, sizeof message.words + n * sizeof *message.requests);
    }
    return n > 0;
}

/* Asks the next overloaded host, each in its turn. */
static void match(void) {
    for (unsigned i = 0; i < fl_omp_far.hosts; i++) {
        unsigned from = (all.turn + i) % fl_omp_far.hosts;
        if (all.hosts[from].plenty && request_from(from)) {
            return;
        }
    }
}

void fl_omp_serve_quiet(const struct fl_omp_call *call, const struct fl_omp_quiet_message *words) {
    unsigned host = call->from;
    if (words->phase != all.phase || words->given != all.hosts[host].given) {
        return; /* a grant is in flight, or has arrived since */
    }
    all.over = all.over || words->at_end;
    all.quiet++;
    fl_assert(all.quiet <= fl_omp_far.hosts);
    fl_assert(!all.hosts[host].quiet);
    all.hosts[host].quiet = true;
    all.hosts[host].hungry = FL_OMP_FOR_ANY;
    all.hosts[host].plenty = false;
    if (all.quiet < fl_omp_far.hosts) {
        match();
        return;
    }
    bool over = all.over;
    all.phase++;
    all.quiet = 0;
    all.over = false;
    fl_mutex_lock(&here.mutex);
    here.closed = over;
    fl_mutex_unlock(&here.mutex);
    for (unsigned h = 0; h < fl_omp_far.hosts; h++) {
        all.hosts[h].quiet = all.hosts[h].plenty = false;
        all.hosts[h].hungry = FL_OMP_FOR_NONE;
        FL_OMP_TELL(h, go_on, .over = over);
    }
}

static bool is_now(uint64_t phase) {
    fl_mutex_lock(&here.mutex);
    bool now = phase == all.phase && !here.closed;
    fl_mutex_unlock(&here.mutex);
    return now;
}

/* A host with a grant in flight is not matched again. */
void fl_omp_serve_hungry(const struct fl_omp_call *call,
                         const struct fl_omp_hungry_message *words) {
    unsigned host = call->from;
    if (is_now(words->phase) && words->given == all.hosts[host].given) {
        all.hosts[host].hungry = words->for_own ? FL_OMP_FOR_OWN : FL_OMP_FOR_ANY;
        all.hosts[host].plenty = all.hosts[host].plenty && words->for_own;
        match();
    }
}

/* If the host is quiet, the tasks that it reported are gone. */
void fl_omp_serve_plenty(const struct fl_omp_call *call,
                         const struct fl_omp_plenty_message *words) {
    unsigned host = call->from;
    if (is_now(words->phase) && !all.hosts[host].quiet) {
        all.hosts[host].plenty = true;
        if (all.hosts[host].hungry == FL_OMP_FOR_ANY) {
            all.hosts[host].hungry = FL_OMP_FOR_NONE;
        }
        match();
    }
}

/* The team of the region, of which the caller may tell host 0; null: there is none, and comm may be
 * gone. *phase_p: the phase. */
static struct fl_omp_team *begin_telling(uint64_t *phase_p) {
    fl_mutex_lock(&here.mutex);
    struct fl_omp_team *team = here.team;
    *phase_p = here.phase;
    /* [H3] pairs [H4], if there is a team. */
    atomic_fetch_add_explicit(&here.telling, team != NULL, memory_order_seq_cst);
    fl_mutex_unlock(&here.mutex);
    return team;
}

static void end_telling(struct fl_omp_team *team) {
    uint32_t telling = atomic_fetch_sub_explicit(&here.telling, 1, memory_order_seq_cst);
    fl_assert(telling > 0);
    fl_omp_ring(team);
}

static bool nobody_tells(void *unused) {
    (void)unused;
    /* [H4] pairs [H3]. */
    return atomic_load_explicit(&here.telling, memory_order_seq_cst) == 0;
}

void fl_omp_hosts_hungry(enum fl_omp_hunger what, uint64_t given) {
    uint64_t phase;
    struct fl_omp_team *team = begin_telling(&phase);
    if (team) {
        FL_OMP_TELL(0, hungry, .given = given, .phase = phase, .for_own = what == FL_OMP_FOR_OWN);
        end_telling(team);
    }
}

void fl_omp_hosts_plenty(void) {
    uint64_t phase;
    struct fl_omp_team *team = begin_telling(&phase);
    if (team) {
        FL_OMP_TELL(0, plenty, .phase = phase);
        end_telling(team);
    }
}

static bool have_agreed(void) {
    /* [H2] pairs [H1]. */
    return atomic_load_explicit(&here.agreed, memory_order_seq_cst) != 0;
}

void fl_omp_serve_go_on(const struct fl_omp_call *call, const struct fl_omp_go_on_message *words) {
    (void)call;
    fl_mutex_lock(&here.mutex);
    fl_assert(here.team && !have_agreed());
    here.phase++;
    /* [H1] pairs [H2]. Before the ring. */
    atomic_store_explicit(&here.agreed, words->over ? IS_OVER : GOES_ON, memory_order_seq_cst);
    fl_omp_ring(here.team);
    fl_mutex_unlock(&here.mutex);
}

static bool agreed_or_quiet(void *team) {
    fl_omp_far_poll();
    return have_agreed() || fl_omp_migrate_may_be_quiet(team);
}

/* The phase cannot change before host 0 knows that this host is quiet. */
static uint64_t phase_now(void) {
    fl_mutex_lock(&here.mutex);
    uint64_t phase = here.phase;
    fl_mutex_unlock(&here.mutex);
    return phase;
}

/* Waits until all hosts have agreed to go on. */
static void agree(struct fl_omp_member *me, bool at_end) {
    if (here.over) {
        return;
    }
    /* Relaxed: host 0 answers later. */
    atomic_store_explicit(&here.agreed, 0, memory_order_relaxed);
    for (;;) {
        fl_omp_wait_in_barrier(me, &me->team->bell, agreed_or_quiet, me->team);
        uint64_t given;
        if (have_agreed()) {
            break;
        }
        if (fl_omp_migrate_turns_quiet(me->team, &given)) {
            FL_OMP_TELL(0, quiet, .at_end = at_end, .given = given, .phase = phase_now());
        }
    }
    here.over = atomic_load_explicit(&here.agreed, memory_order_relaxed) == IS_OVER;
    fl_omp_migrate_reset();
}

/* ---- cancelling ---- */

/* The caller has the mutex. Shows the team's members what is cancelled of their region. */
static void apply(void) {
    struct fl_omp_team *team = here.team;
    if (!team || here.cancelled.region != here.region) {
        return;
    }
    uint32_t what = here.cancelled.what;
    if (here.cancelled.barriers != here.barriers) {
        what &= FL_OMP_CANCEL_PARALLEL;
    }
    /* [C5] pairs [C2]. */
    if (what & ~atomic_fetch_or_explicit(&team->cancelled, what, memory_order_seq_cst)) {
        fl_omp_ring(team);
    }
}

void fl_omp_serve_cancel(const struct fl_omp_call *call,
                         const struct fl_omp_cancel_message *words) {
    (void)call;
    uint64_t region = words->region, barriers = words->barriers;
    uint32_t what = (uint32_t)words->what;
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
            FL_OMP_TELL(host, cancel, .region = region, .barriers = barriers, .what = what);
        }
    }
}

/* ---- regions ---- */

/* Whether the program makes tasks or may cancel; the same on all hosts. */
static bool programs_agree(void) {
    static enum { UNKNOWN, NO, YES } known; /* of the thread that begins regions */
    if (known == UNKNOWN) {
        bool tasks = fl_omp_far_calls("GOMP_task") || fl_omp_far_calls("__kmpc_omp_task") ||
                     fl_omp_far_calls("__kmpc_taskloop");
        known = tasks || fl_omp_program.cancellation ? YES : NO;
    }
    return known == YES;
}

void fl_omp_hosts_begin_far(struct fl_omp_team *team) {
    atomic_store_explicit(&team->agrees, programs_agree(), memory_order_relaxed);
    fl_mutex_lock(&here.mutex);
    here.region++;
    here.barriers = 0;
    here.over = here.closed = false;
    fl_mutex_unlock(&here.mutex);
}

void fl_omp_hosts_enter(struct fl_omp_team *team) {
    fl_mutex_lock(&here.mutex);
    fl_assert(!here.team);
    here.team = team;
    apply();
    fl_mutex_unlock(&here.mutex);
    fl_omp_migrate_enter(team);
}

void fl_omp_hosts_barrier(struct fl_omp_member *me) {
    if (fl_omp_team_agrees(me->team)) {
        agree(me, false);
    }
    if (here.over) {
        /* Relaxed: published by the team's state. */
        atomic_fetch_or_explicit(&me->team->cancelled, FL_OMP_CANCEL_PARALLEL, memory_order_relaxed);
    } else {
        fl_omp_wait_begin("a barrier, for other hosts", me->number);
        fl_omp_far_barrier();
        fl_omp_wait_end();
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
    if (fl_omp_team_agrees(me->team)) {
        agree(me, true);
    }
    fl_mutex_lock(&here.mutex);
    fl_assert(here.team == me->team);
    here.team = NULL;
    fl_mutex_unlock(&here.mutex);
    fl_omp_migrate_enter(NULL);
    fl_omp_wait(me, &me->team->bell, nobody_tells, NULL, "the end of a parallel region");
}

void fl_omp_hosts_affinity(const struct fl_omp_affinity_format *format) {
    const struct {
        struct fl_omp_format_message words;
        struct fl_omp_affinity_format format;
    } message = {{fl_omp_kind_format}, *format};
    for (unsigned host = 0; host < fl_omp_far.hosts; host++) {
        if (host != fl_omp_far.me) {
            fl_omp_far_tell(host, &message, sizeof message);
        }
    }
}

/* ---- messages ---- */

void fl_omp_serve_format(const struct fl_omp_call *call,
                         const struct fl_omp_format_message *words) {
    (void)words;
    fl_omp_affinity_told(call->payload);
}

/* The words of a message whose first one is `kind`; 0: there is none such. */
static size_t words_of(uint64_t kind) {
    static const size_t words[] = {
#define FL_MESSAGE(name, ...) FL_MESSAGE_N(fl_omp, name),
#include "omp/messages.def"
#undef FL_MESSAGE
    };
    return kind < sizeof words / sizeof *words ? words[kind] : 0;
}

void fl_omp_told(unsigned from, const void *bytes, size_t n) {
    const uint64_t *words = bytes;
    size_t front = n < sizeof *words ? 0 : words_of(words[0]) * sizeof *words;
    struct fl_message_come come = {"about a parallel region", from, fl_omp_far.me, false, 0, n};
    if (n < front || front == 0) {
        fl_message_refuse_kind(&come);
    }
    come.words = front / sizeof *words;
    come.bytes = n - front;
    const struct fl_omp_call call = {from, words, (const char *)bytes + front, come.bytes};
    switch (words[0]) {
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_CASE(&come, &call, fl_omp, name, how, where, least, most)
#include "omp/messages.def"
#undef FL_MESSAGE
    }
}
