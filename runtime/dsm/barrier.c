/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meetings of all hosts. One thread of each host sends host 0 the notices of its host's writes, and
 * gets those of the others: at once in a barrier; or, from a join to the next fork, when host 0 has
 * run alone for a while.
 *
 * Host 0 has left the meeting then, and the others have not: they wait for the fork without
 * touching coherent memory, hold `order`, and serve host 0 as homes of the new epoch
 * (fl_meet_is_ahead).
 */
#include "dsm/inside.h"

#include <string.h>

enum { MANAGER = 0 };

static void hear(const struct fl_comm_call *call, bool more) {
    fl_bytes_add(&fl_dsm.meet.heard[call->asker.proc], call->payload, call->bytes);
    if (!more) {
        /* Relaxed: only handlers change it. */
        uint32_t come = atomic_load_explicit(&fl_dsm.meet.come, memory_order_relaxed);
        fl_wait_publish(&fl_dsm.meet.come, (come & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
    }
}

void fl_dsm_serve_arrive(const struct fl_comm_call *call, const struct fl_dsm_arrive_message *word) {
    hear(call, word->more);
}

static bool serve_departure(const struct fl_comm_call *call, uint32_t epoch) {
    (void)epoch;
    const struct fl_dsm_depart_message *word = (const void *)call->words;
    fl_dsm.meet.alone = word->alone;
    hear(call, word->more);
    return true;
}

/* Behind all that host 0 has sent before, for which the former homes hold. */
void fl_dsm_serve_depart(const struct fl_comm_call *call, const struct fl_dsm_depart_message *word) {
    (void)word;
    fl_defer_serve(call, FL_DEFER_BEHIND_ALL, serve_departure);
}

static _Noreturn void bad_news(unsigned from) {
    fl_fatal(FL_CODE_BAD_MESSAGE, "host %u says at a barrier what makes no sense", from);
}

static struct fl_text heard_of(unsigned host) {
    return fl_text(fl_dsm.meet.heard[host].at, fl_dsm.meet.heard[host].n);
}

static void learn(unsigned from, struct fl_text notices) {
    const struct fl_interval *news; /* fl_interval_meet takes the notices of all */
    fl_mutex_lock(&fl_dsm.known.mutex);
    bool good = fl_time_learn(&fl_dsm.known.time, notices, &news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    if (!good) {
        bad_news(from);
    }
}

/* Appends what this host has written since all knew of its interval `last`. Handlers may be learning
 * other hosts' intervals, with locks that they get while this host is at the meeting ([L7]). */
static void tell_own(uint32_t last, struct fl_bytes *news) {
    uint32_t theirs[fl_dsm.hosts];
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        theirs[h] = h == fl_dsm.me ? last : UINT32_MAX;
    }
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_tell(&fl_dsm.known.time, theirs, NULL, false, news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

/* Meetings that are over here. Relaxed: only the thread that meets others changes it. */
static uint32_t epoch_now(void) {
    return atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed);
}

static void wait_for(uint32_t come, const char *what) {
    fl_wait_begin(what, NULL, 0);
    fl_wait_until(&fl_dsm.meet.come, come << 1, fl_dsm.setup.wait);
    fl_wait_end();
}

void fl_dsm_beside(int more) {
    /* Relaxed: a thread that holds a lock has been counted before it took that. */
    atomic_fetch_add_explicit(&fl_dsm.beside, more, memory_order_relaxed);
}

static void begin(const char *what) {
    fl_update_await();
    /* A thread beside may have a lock for which the others wait, and needs `order` to give it. */
    if (fl_dsm.me == MANAGER && atomic_load_explicit(&fl_dsm.beside, memory_order_relaxed) > 0) {
        wait_for((epoch_now() + 1) * (fl_dsm.hosts - 1), what);
    }
    fl_dsm_order_lock();
    fl_dsm.meet.since = epoch_now() + 1;
    fl_interval_arrive(false);
    memcpy(fl_dsm.meet.before, fl_dsm.known.time.known, fl_dsm.hosts * sizeof(uint32_t));
    /* [L5] pairs [L6], [L7]: a handler asked for this host's writes finds their interval. */
    atomic_store_explicit(&fl_dsm.meet.here, true, memory_order_release);
}

static void end(void) {
    fl_assert(fl_dsm.meet.last <= fl_dsm.known.time.known[fl_dsm.me]);
    fl_dsm.meet.last = fl_dsm.known.time.known[fl_dsm.me];
    /* Relaxed: the next holder of `order` is ordered after this. */
    atomic_store_explicit(&fl_dsm.meet.here, false, memory_order_relaxed);
    /* [L2] pairs [L1]: a handler that sees that this host is no longer behind defers what must wait
     * for the new epoch, and is asked to try again below. */
    atomic_store_explicit(&fl_dsm.meet.behind, false, memory_order_seq_cst);
    atomic_store_explicit(&fl_dsm.meet.epoch, epoch_now() + 1, memory_order_seq_cst);
    fl_mutex_unlock(&fl_dsm.order);
    fl_defer_retry();
    FL_DSM_ADD(barriers, 1);
}

/* Host 0: waits for the others, and collects what each will be sent, as of now. */
static void gather(const char *what) {
    uint32_t theirs[fl_dsm.hosts][fl_dsm.hosts];
    wait_for((epoch_now() + 1) * (fl_dsm.hosts - 1), what);
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        struct fl_text heard = heard_of(h);
        if (!fl_time_hear(fl_dsm.hosts, &heard, theirs[h]) || !fl_push_hear(&heard)) {
            bad_news(h);
        }
        learn(h, heard);
        fl_assert(fl_dsm.known.time.known[h] >= theirs[h][h]);
        fl_dsm.meet.heard[h].n = 0;
    }
    if (FL_UNLIKELY(fl_dsm.setup.check)) {
        fl_check_compare();
    }
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        fl_dsm.meet.news[h].n = 0;
        fl_time_tell(&fl_dsm.known.time, theirs[h], NULL, false, &fl_dsm.meet.news[h]);
    }
    fl_dsm.meet.alone = fl_dsm.known.time.known[MANAGER];
}

/* The program's messages resemble one another: the diff to the last one is sent. */
static unsigned char last_message[FL_MAP_PAGE];

static void say_message(const void *message, size_t bytes, struct fl_bytes *news) {
    static unsigned char next[FL_MAP_PAGE], diff[FL_DIFF_MOST]; /* guarded by `order` */
    if (bytes > sizeof next) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "a parallel region begins with %zu bytes", bytes);
    }
    memcpy(next, last_message, sizeof next);
    if (bytes > 0) {
        memcpy(next, message, bytes);
    }
    fl_bytes_add_number(news, (uint32_t)bytes);
    fl_bytes_add_piece(news, diff, fl_diff_make(diff, next, last_message, true));
    memcpy(last_message, next, sizeof next);
}

/* Returns the size of the program's message. */
static size_t hear_message(struct fl_text *news) {
    uint32_t bytes;
    struct fl_text diff;
    if (!fl_text_number(news, &bytes) || !fl_text_piece(news, &diff) ||
        bytes > sizeof last_message ||
        !fl_diff_apply(last_message, diff.at, fl_text_left(&diff))) {
        bad_news(MANAGER);
    }
    return bytes;
}

/* Host 0: lets the others leave, with the program's message before pushes and notices. */
static void let_go(const void *message, size_t bytes) {
    struct fl_bytes said = {0};
    say_message(message, bytes, &said);
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        struct fl_bytes all = {0};
        fl_bytes_add(&all, said.at, said.n);
        fl_bytes_add_piece(&all, fl_dsm.pushes[h].at, fl_dsm.pushes[h].n);
        fl_dsm.pushes[h].n = 0;
        fl_bytes_add(&all, fl_dsm.meet.news[h].at, fl_dsm.meet.news[h].n);
        FL_DSM_SEND_PARTS(h, depart, &all, .alone = fl_dsm.meet.alone);
        fl_bytes_release(&all);
    }
    fl_bytes_release(&said);
}

static void arrive(void) {
    struct fl_bytes news = {0};
    if (FL_UNLIKELY(fl_dsm.setup.check)) {
        fl_check_send(); /* which comes before the arrival */
    }
    fl_dsm_say_known(&news);
    fl_push_say(&news);
    tell_own(fl_dsm.meet.last, &news);
    FL_DSM_SEND_PARTS(MANAGER, arrive, &news);
    fl_bytes_release(&news);
}

/* Returns the size of the program's message. */
static size_t await_departure(const char *what) {
    wait_for(epoch_now() + 1, what);
    struct fl_text heard = heard_of(MANAGER);
    size_t bytes = hear_message(&heard);
    struct fl_text pushes;
    if (!fl_text_piece(&heard, &pushes)) {
        bad_news(MANAGER);
    }
    fl_bytes_add(&fl_dsm.pushes[fl_dsm.me], pushes.at, fl_text_left(&pushes));
    learn(MANAGER, heard);
    fl_dsm.meet.heard[MANAGER].n = 0;
    return bytes;
}

/* ---- barriers ---- */

static const char *const at_barrier = "a barrier, for other hosts";

void fl_dsm_barrier_hosts(void) {
    uint64_t since = fl_os_now_ns();
    begin(at_barrier);
    if (fl_dsm.me == MANAGER) {
        gather(at_barrier);
        let_go(NULL, 0);
    } else {
        arrive();
        (void)await_departure(at_barrier);
    }
    fl_interval_meet(FL_MEET_BARRIER);
    end();
    FL_DSM_ADD(barrier_ns, fl_os_now_ns() - since);
}

void fl_dsm_barrier(void) {
    /* Relaxed: the thread has seen the end of the last one. */
    uint32_t passed = atomic_load_explicit(&fl_dsm.barrier.passed, memory_order_relaxed) &
                      ~(uint32_t)FL_WAIT_SLEEPING;
    /* [B1] pairs itself: the last thread to arrive sees what the others have written. */
    uint32_t here = atomic_fetch_add_explicit(&fl_dsm.barrier.here, 1, memory_order_acq_rel) + 1;
    fl_assert(here <= fl_dsm.setup.threads);
    if (here < fl_dsm.setup.threads) {
        fl_wait_begin("a barrier, for other threads", NULL, 0);
        fl_wait_until(&fl_dsm.barrier.passed, passed + 2, fl_dsm.setup.wait);
        fl_wait_end();
        return;
    }
    /* Relaxed: published below. */
    atomic_store_explicit(&fl_dsm.barrier.here, 0, memory_order_relaxed);
    fl_dsm_barrier_hosts();
    fl_wait_publish(&fl_dsm.barrier.passed, passed + 2);
}

/* ---- fork and join ---- */

/* Whether a message is from host 0, which has left the join at which this host waits. */
bool fl_meet_is_ahead(unsigned host, uint32_t theirs, uint32_t epoch) {
    /* [L1] pairs [L2]: host 0 sends such messages only after it has heard that this host came. */
    return host == MANAGER && theirs == epoch + 1 &&
           atomic_load_explicit(&fl_dsm.meet.behind, memory_order_seq_cst);
}

void fl_dsm_join(void) {
    static const char *const what = "the end of a parallel region, for other hosts";
    uint64_t since = fl_os_now_ns();
    begin(what);
    if (fl_dsm.me == MANAGER) {
        gather(what);
        fl_interval_meet(FL_MEET_JOIN);
        end();
    } else {
        /* [L4] pairs [L3]. */
        atomic_store_explicit(&fl_dsm.meet.behind, true, memory_order_seq_cst);
        arrive();
    }
    FL_DSM_ADD(barrier_ns, fl_os_now_ns() - since);
}

void fl_dsm_fork(const void *message, size_t bytes) {
    fl_dsm_order_lock();
    fl_dsm.meet.since = epoch_now();
    fl_interval_arrive(true);
    if (FL_UNLIKELY(fl_dsm.setup.check)) {
        fl_check_forget(); /* all others wait */
        fl_check_watch(__builtin_frame_address(0));
    }
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        tell_own(fl_dsm.meet.alone, &fl_dsm.meet.news[h]);
    }
    /* Before the others leave, and fetch: those fetches would not be deferred, since this host's
     * epoch has begun with the join. */
    fl_interval_meet(FL_MEET_FORK);
    fl_dsm.meet.last = fl_dsm.known.time.known[MANAGER];
    let_go(message, bytes);
    fl_mutex_unlock(&fl_dsm.order);
}

size_t fl_dsm_fork_wait(void *message, size_t room) {
    size_t bytes = await_departure("the next parallel region");
    if (bytes > room) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "host 0 starts a region with %zu bytes, and there is room "
                 "for %zu", bytes, room);
    }
    memcpy(message, last_message, bytes);
    fl_interval_meet(FL_MEET_FORK_WAIT);
    end();
    return bytes;
}

void fl_dsm_fence(void) {
    fl_dsm_acquire(FL_DSM_LOCKS);
    fl_dsm_release(FL_DSM_LOCKS);
}
