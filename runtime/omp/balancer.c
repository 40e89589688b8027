/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The balancer: a thread that does what members do between two tasks, while all are busy, perhaps
 * for an hour. It takes care of the tasks that wait meanwhile: it sends them if no member has soon
 * after a request, and tells host 0 of an overload if no task has begun for a while. It also sends
 * ends that are held back, and handles ends that have come, as further tasks may follow from them.
 * tests/litmus/balancer.pml models its sleep.
 */
#include "omp/ends.h"
#include "omp/migrate_inside.h"
#include "omp/round.h"

enum {
    MEMBERS_FIRST_NS = 200000, /* in which a member may do what the balancer does otherwise */
    LOOK_PAUSE_NS = 2000000, /* between looks of the balancer */
    MOST_PATIENCE_NS = 100000000 /* of the balancer: patience_ns */
};

static struct fl_omp_migrate *const here = &fl_omp_migrate;

static struct {
    struct fl_mutex mutex;   /* for its looks, and a region's begin and end */
    _Atomic uint32_t called; /* the futex on which it sleeps: grows */
    atomic_bool watches;     /* will look again without being called */
    bool there;
} balancer;

void fl_omp_balancer_stop(void) {
    fl_mutex_lock(&balancer.mutex);
}

void fl_omp_balancer_go_on(void) {
    fl_mutex_unlock(&balancer.mutex);
}

void fl_omp_balancer_call(void) {
    atomic_fetch_add_explicit(&balancer.called, 1, memory_order_release); /* [G1] pairs [G2] */
    fl_os_futex_wake(&balancer.called, 1);
}

bool fl_omp_balancer_see(void) {
    /* [G3] pairs [G4]: either this sees that the balancer does not watch, or it sees the task, or the
     * end that is held back. */
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&balancer.watches, memory_order_relaxed)) {
        fl_omp_balancer_call();
    }
    return balancer.there; /* set before the region */
}

void fl_omp_migrate_made_ready(void) {
    (void)fl_omp_balancer_see();
}

/* Changes when a task is made or taken. Relaxed: a hint. */
static int64_t moves(struct fl_omp_team *team) {
    int64_t sum = atomic_load_explicit(&team->tasks.queued, memory_order_relaxed);
    for (unsigned i = 0; i < team->n; i++) {
        struct fl_omp_deque *deque = &team->members[i]->tasks.deque;
        sum += fl_omp_deque_bottom(deque) +
               2 * atomic_load_explicit(&deque->top, memory_order_relaxed);
    }
    return sum;
}

/* How long no task must have begun before the host counts as overloaded: longer after rounds that
 * did not pay. */
static uint64_t patience_ns(void) {
    uint64_t pause_ns = fl_omp_round().pause_ns;
    return pause_ns < LOOK_PAUSE_NS        ? LOOK_PAUSE_NS
           : pause_ns < MOST_PATIENCE_NS ? pause_ns
                                         : MOST_PATIENCE_NS;
}

/* The state that the balancer has seen last, and since when. */
struct seen {
    int64_t moves;
    uint64_t since_ns;
};

/* A look of the balancer. Whether it should look again without being called. */
static bool look_in_place_of_members(struct seen *seen) {
    fl_mutex_lock(&balancer.mutex);
    struct fl_omp_team *team = here->team; /* changes with both mutexes */
    bool ready = false;
    if (team) {
        uint64_t now = fl_os_now_ns();
        int64_t moved = moves(team);
        if (moved != seen->moves) {
            *seen = (struct seen){moved, now};
        }
        if (fl_omp_migrate_news_now() & FL_OMP_NEWS_ENDED) {
            fl_omp_migrate_take_back(NULL);
        }
        if (fl_omp_migrate_news_now() & FL_OMP_NEWS_GIVE) {
            fl_omp_grant(team->members[0], true);
            seen->moves = moves(team); /* the balancer's own steals do not count */
        }
        for (unsigned i = 0; i < team->n && !ready; i++) {
            ready = fl_omp_grant_has(team->members[i]);
        }
        ready = ready || fl_omp_grant_has_queued(team) ||
                (fl_omp_migrate_news_now() & FL_OMP_NEWS_TASKS);
        if (ready && now - seen->since_ns >= patience_ns() &&
            !atomic_load_explicit(&here->plenty, memory_order_relaxed)) {
            fl_omp_grant_say_plenty();
        }
    }
    fl_mutex_unlock(&balancer.mutex);
    if (team) {
        fl_omp_ends_send();
    }
    return ready;
}

static void *look_for_ever(void *unused) {
    (void)unused;
    struct seen seen = {0, 0};
    for (;;) {
        /* [G2] pairs [G1]: the look sees what there was before the call, or it will not sleep. */
        uint32_t called = atomic_load_explicit(&balancer.called, memory_order_acquire);
        if (fl_omp_migrate_news_now() & (FL_OMP_NEWS_GIVE | FL_OMP_NEWS_ENDED)) {
            static _Atomic uint32_t nothing;
            (void)fl_os_futex_wait_timeout(&nothing, 0, MEMBERS_FIRST_NS);
        }
        atomic_store_explicit(&balancer.watches, false, memory_order_relaxed);
        /* [G4] pairs [G3]. */
        atomic_thread_fence(memory_order_seq_cst);
        if (look_in_place_of_members(&seen)) {
            atomic_store_explicit(&balancer.watches, true, memory_order_relaxed);
            (void)fl_os_futex_wait_timeout(&balancer.called, called, LOOK_PAUSE_NS);
        } else {
            fl_os_futex_wait(&balancer.called, called);
        }
    }
    return NULL;
}

/* If it cannot be started, tasks leave when members look. */
void fl_omp_balancer_start(void) {
    if (!balancer.there) {
        balancer.there = fl_os_thread_start_quiet(look_for_ever, NULL) == 0;
    }
}
