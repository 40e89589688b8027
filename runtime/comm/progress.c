/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Progress: which threads move messages on, and how threads wait for them.
 *
 * Waiting threads poll. The progress thread is parked meanwhile: it sleeps until an alarm, which
 * the polling threads put off. When they no longer do, it guards the transport: polls until nothing
 * comes, arms the transport's descriptor, and sleeps on it at no cost. The first poll or send of
 * another thread ends the guard, and parks the progress thread again: it may have taken what the
 * descriptor was armed for. All changes between the two are made by a thread that has entered, so
 * none falls between a last poll and the arming.
 *
 * To put the alarm off is a system call, which in a virtual machine costs some 10 us, as every
 * change of a timer does; to wake the progress thread from time to time instead would cost a
 * polling thread 30 to 60.
 */
#include "comm/inside.h"

#include <errno.h>
#include <string.h>

enum {
    ENTER_SPINS = 50, /* each with a pause of 40 ns */
    ENTER_YIELDS = 50,
    SILENCE_NS = 500000, /* without polls, after which no thread is expected to poll */
    ALARM_NS = 1000000,  /* set so far ahead ... */
    PUT_OFF_NS = 750000, /* ... and again after this time */
    PULSE_NS = 100000000, /* between heartbeats while others poll */
    RETRY_NS = 50000,      /* until deferred items are tried again */
    RETRY_MOST_NS = 500000,
    SLEEPING = 1 << 30     /* in an operation's count: its thread sleeps */
};

void fl_comm_enter_slow(void) {
    /* Relaxed: only advice to pollers, who look again. */
    atomic_fetch_add_explicit(&fl_comm_state.wanting, 1, memory_order_relaxed);
    bool entered = false;
    for (int i = 0; i < ENTER_SPINS && !entered; i++) {
        fl_os_relax();
        entered = fl_mutex_try(&fl_comm_state.mutex);
    }
    for (int i = 0; i < ENTER_YIELDS && !entered && fl_wait_yield(); i++) {
        entered = fl_mutex_try(&fl_comm_state.mutex);
    }
    if (!entered) {
        fl_mutex_lock(&fl_comm_state.mutex);
    }
    uint32_t wanting = atomic_fetch_sub_explicit(&fl_comm_state.wanting, 1, memory_order_relaxed);
    fl_assert(wanting > 0);
}

static unsigned try_deferred(void) {
    struct fl_comm_deferred *item = fl_comm_state.deferred;
    fl_comm_state.deferred = NULL;
    unsigned done = 0;
    while (item) {
        struct fl_comm_deferred *next = item->next;
        if (item->try(item)) {
            done++;
        } else {
            item->next = fl_comm_state.deferred;
            fl_comm_state.deferred = item;
        }
        item = next;
    }
    return done;
}

unsigned fl_comm_serve(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    fl_assert(fl_comm_has_entered() && !fl_comm_serving);
    int error = errno; /* the program's: an access to shared memory leaves it as it is */
    fl_comm_serving = true;
    unsigned done = comm->net ? comm->setup.net->poll(comm->net) : 0;
    if (FL_UNLIKELY(comm->deferred)) {
        done += try_deferred();
    }
    if (FL_UNLIKELY(comm->own_first)) {
        fl_comm_run_own_calls();
    }
    if (comm->n_ended) {
        fl_comm_flush_ended();
    }
    fl_comm_serving = false;
    errno = error;
    return done;
}

unsigned fl_comm_poll_messages(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    /* A thread that polls already serves this one, too; and a thread that wants to enter would not
     * get in past threads that poll without end. */
    if (fl_comm_serving || atomic_load_explicit(&comm->wanting, memory_order_relaxed) ||
        !fl_mutex_try(&comm->mutex)) {
        return 0;
    }
    uint64_t now = fl_os_now_ns();
    /* Relaxed: if the progress thread sees it late, it guards in vain until the next poll. */
    atomic_store_explicit(&comm->progress.polled_ns, now, memory_order_relaxed);
    bool put_off = now - comm->progress.put_off_ns > PUT_OFF_NS;
    if (FL_UNLIKELY(put_off)) {
        comm->progress.put_off_ns = now;
    }
    fl_comm_wake_progress();
    fl_comm_flush_old(now);
    unsigned done = fl_comm_serve();
    fl_comm_leave();
    if (FL_UNLIKELY(put_off)) {
        fl_os_alarm_set(comm->progress.alarm, ALARM_NS);
    }
    return done;
}

unsigned fl_comm_poll(void) {
    if (!fl_comm_serving) {
        fl_comm_flush_own();
    }
    return fl_comm_poll_messages();
}

bool fl_comm_is_serving(void) {
    return fl_comm_serving;
}

void fl_comm_idle(struct fl_comm_patience *patience) {
    if (FL_UNLIKELY(fl_wait_suspend)) {
        fl_wait_suspend();
    } else if (fl_comm_poll()) {
        patience->idle = 0;
    } else if (++patience->idle > fl_wait_spins(fl_comm_state.wait) && !fl_wait_yield()) {
        fl_os_nap();
    }
}

void fl_comm_op_begin(struct fl_comm_op *op) {
    /* Relaxed: only its own thread waits for it, or others that this thread has synchronised with. */
    atomic_fetch_add_explicit(&op->pending, 1, memory_order_relaxed);
}

void fl_comm_op_end(struct fl_comm_op *op) {
    /* [C1] pairs [C2]: what was read has been written before. */
    uint32_t left = atomic_fetch_sub_explicit(&op->pending, 1, memory_order_release) - 1;
    fl_assert(((left + 1) & ~(uint32_t)SLEEPING) > 0);
    if (FL_UNLIKELY(left == SLEEPING)) {
        /* [C3] pairs [C2]. Its thread does not go on before it reads 0; from then on the word may
         * be gone, and the wake only be a spurious one. Of a group others may have begun more. */
        atomic_fetch_and_explicit(&op->pending, ~(uint32_t)SLEEPING, memory_order_release);
        fl_os_futex_wake(&op->pending, 1);
    }
}

static void sleep_on(struct fl_comm_op *op) {
    fl_wait_note_time();
    fl_wait_rest();
    /* Relaxed: the thread acquires when it finds 0. */
    uint32_t left = atomic_load_explicit(&op->pending, memory_order_relaxed);
    while (left != 0) {
        if ((left & SLEEPING) ||
            atomic_compare_exchange_strong_explicit(&op->pending, &left, left | SLEEPING,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            fl_wait_sleep_for_thread(&op->pending, left | SLEEPING);
        }
        left = atomic_load_explicit(&op->pending, memory_order_relaxed);
    }
}

static FL_COLD void wait_slow(struct fl_comm_op *op) {
    struct fl_wait_policy policy = fl_comm_state.wait;
    bool begun = fl_wait_begin_inside("a transfer from or to another host");
    uint32_t spins = fl_wait_spins(policy);
    for (uint32_t idle = 0; !fl_comm_has_ended(op);) {
        if (FL_UNLIKELY(fl_wait_suspend)) {
            fl_wait_suspend();
        } else if (fl_comm_poll()) {
            idle = 0;
        } else if (++idle > policy.spins + policy.yields || (idle > spins && !fl_wait_yield())) {
            sleep_on(op);
        }
    }
    fl_wait_end_inside(begun);
}

void fl_comm_wait(struct fl_comm_op *op) {
    if (!fl_comm_has_ended(op)) {
        wait_slow(op);
    }
}

bool fl_comm_test(struct fl_comm_op *op) {
    if (fl_comm_has_ended(op)) {
        return true;
    }
    fl_comm_poll();
    return fl_comm_has_ended(op);
}

struct fl_comm_op *fl_comm_group_op(struct fl_comm_group *group) {
    /* Relaxed: either will do, as a waiting thread waits for both. */
    return &group->turns[atomic_load_explicit(&group->turn, memory_order_relaxed) & 1];
}

/* A fiber holds no mutex while it is suspended: its thread might want it. Waits at the same time only
 * take longer, as each changes the turn. */
static FL_COLD void wait_for_group(struct fl_comm_group *group) {
    bool locks = !fl_wait_suspend;
    if (locks) {
        fl_mutex_lock(&group->waits);
    }
    for (int i = 0; i < 2; i++) {
        uint32_t turn = atomic_fetch_xor_explicit(&group->turn, 1, memory_order_relaxed);
        fl_comm_wait(&group->turns[turn & 1]);
    }
    if (locks) {
        fl_mutex_unlock(&group->waits);
    }
}

void fl_comm_group_wait(struct fl_comm_group *group) {
    if (!fl_comm_group_ended(group)) {
        wait_for_group(group);
    }
}

bool fl_comm_group_test(struct fl_comm_group *group) {
    if (fl_comm_group_ended(group)) {
        return true;
    }
    fl_comm_poll();
    return fl_comm_group_ended(group);
}

void fl_comm_defer(struct fl_comm_deferred *item) {
    bool serving = fl_comm_serving;
    if (!serving) {
        fl_comm_enter();
    }
    item->next = fl_comm_state.deferred;
    fl_comm_state.deferred = item;
    if (!serving) {
        fl_comm_leave();
    }
}

/* ---- the progress thread ---- */

void fl_comm_unguard(void) {
    atomic_store_explicit(&fl_comm_state.progress.guarding, false, memory_order_relaxed);
    fl_os_bell_ring(fl_comm_state.progress.bell);
}

/* A thread that polled will sleep. If it was the only one, the progress thread must not wait for
 * its alarm. */
static void rest(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    /* Relaxed, both: an error costs the time to the alarm. */
    if (!fl_comm_serving &&
        !atomic_load_explicit(&comm->progress.guarding, memory_order_relaxed)) {
        atomic_store_explicit(&comm->progress.rest, true, memory_order_relaxed);
        fl_os_bell_ring(comm->progress.bell);
    }
}

/* Sleeps on the descriptor, if it can be armed, until a batch gets old or a heartbeat is due. */
static void guard(uint32_t *retries) {
    struct fl_comm_state *comm = &fl_comm_state;
    const struct fl_net_ops *ops = comm->setup.net;
    fl_comm_enter();
    atomic_store_explicit(&comm->progress.guarding, false, memory_order_relaxed);
    bool quiet = fl_comm_serve() == 0;
    uint64_t now = fl_os_now_ns(), old_ns = fl_comm_flush_old(now), pulse_ns = fl_comm_pulse(now);
    uint64_t sleep_ns = (old_ns < pulse_ns ? old_ns : pulse_ns) - now;
    bool retry = quiet && (comm->deferred || !ops->arm || ops->descriptor(comm->net) < 0);
    bool armed = quiet && !retry && ops->arm(comm->net);
    atomic_store_explicit(&comm->progress.guarding, armed, memory_order_relaxed);
    fl_comm_leave();
    if (armed || !quiet) {
        *retries = 0;
    }
    if (armed) {
        fl_os_bell_sleep(comm->progress.bell, ops->descriptor(comm->net), sleep_ns);
    } else if (retry) {
        uint64_t retry_ns = (uint64_t)RETRY_NS * ++*retries;
        fl_os_bell_sleep(comm->progress.bell, -1,
                         retry_ns < RETRY_MOST_NS ? retry_ns : RETRY_MOST_NS);
    }
}

/* For how long others may still be expected to poll. 0: none has polled since the last call, or lately,
 * or one that did has gone to sleep. */
static uint64_t others_poll(uint64_t now, uint64_t *seen_ns) {
    struct fl_comm_state *comm = &fl_comm_state;
    uint64_t polled_ns = atomic_load_explicit(&comm->progress.polled_ns, memory_order_relaxed);
    bool rests = atomic_exchange_explicit(&comm->progress.rest, false, memory_order_relaxed);
    bool polled = polled_ns != *seen_ns && polled_ns + SILENCE_NS > now;
    *seen_ns = polled_ns;
    return polled && !rests ? polled_ns + SILENCE_NS - now : 0;
}

static void park(uint64_t now, uint64_t alarm_ns, uint64_t *pulse_ns) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (now >= *pulse_ns) {
        fl_comm_enter();
        fl_comm_serve(); /* before any host is called silent */
        *pulse_ns = fl_comm_pulse(now);
        *pulse_ns = *pulse_ns < now + PULSE_NS ? *pulse_ns : now + PULSE_NS;
        fl_comm_leave();
    }
    fl_os_alarm_set(comm->progress.alarm, alarm_ns);
    fl_os_bell_sleep(comm->progress.bell, comm->progress.alarm, *pulse_ns - now);
}

static void *run(void *unused) {
    struct fl_comm_state *comm = &fl_comm_state;
    (void)unused;
    uint32_t retries = 0;
    uint64_t pulse_ns = 0;
    uint64_t seen_ns = 0;
    fl_os_thread_prompt();
    /* [P1] pairs [P2]: all that its starter has done. */
    while (!atomic_load_explicit(&comm->progress.stop, memory_order_acquire)) {
        uint64_t now = fl_os_now_ns(), more_ns = others_poll(now, &seen_ns);
        if (more_ns > 0) {
            park(now, more_ns, &pulse_ns);
        } else {
            guard(&retries);
        }
    }
    fl_wait_publish(&comm->progress.over, 2);
    return NULL;
}

void fl_comm_progress_start(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    int error = fl_os_bell_create(&comm->progress.bell);
    error = error ? error : fl_os_alarm_create(&comm->progress.alarm);
    if (!error) {
        fl_wait_service.rest = rest;
        fl_wait_service.poll = fl_comm_poll;
        error = fl_os_thread_start_quiet(run, NULL);
    }
    if (error) {
        fl_fatal(FL_CODE_THREAD_START, "cannot start the thread that serves other hosts: %s",
                 strerror(-error));
    }
}

void fl_comm_progress_stop(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    /* [P2] pairs [P1]. */
    atomic_store_explicit(&comm->progress.stop, true, memory_order_release);
    fl_os_bell_ring(comm->progress.bell);
    fl_wait_until(&comm->progress.over, 2, (struct fl_wait_policy){0, 1});
    fl_wait_service.rest = NULL;
    fl_wait_service.poll = NULL;
}
