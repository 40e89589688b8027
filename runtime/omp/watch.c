/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See watch.h. Over several hosts there are two reasons for a thread's wait: what the program has
 * called, recorded here, and what coherent memory does for that, by libfurlong-spread.so.
 */
#include "omp/watch.h"

#include "core/mutex.h"
#include "core/params.h"
#include "core/stall.h"
#include "omp/far.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A thread's entry in the list. Relaxed: a number, for messages. */
struct watched {
    struct watched *next;
    const struct fl_wait_reason *reason, *far; /* `far` may be null */
    _Atomic unsigned number;
    uint64_t told_since_ns; /* the watcher's */
    bool in_list;
};

static _Thread_local struct watched own;

static struct {
    struct fl_mutex mutex;
    struct watched *first;
    uint64_t seconds; /* 0: no thread watches */
} watch;

static struct fl_stall_state state_of(const struct watched *thread) {
    struct fl_stall_state state = fl_stall_look(thread->reason);
    return state.what || !thread->far ? state : fl_stall_look(thread->far);
}

/* The program does not wait for workers between two regions. */
static bool is_idle(const struct fl_stall_state *state) {
    return state->what && strcmp(state->what, FL_OMP_FAR_IDLE) == 0;
}

static void look(bool all) {
    fl_mutex_lock(&watch.mutex);
    for (struct watched *thread = watch.first; thread; thread = thread->next) {
        struct fl_stall_state state = state_of(thread);
        if (fl_stall_is(&state, watch.seconds) && !is_idle(&state) &&
            state.since_ns != thread->told_since_ns) {
            thread->told_since_ns = state.since_ns;
            all = true;
        }
    }
    for (struct watched *thread = watch.first; all && thread; thread = thread->next) {
        struct fl_stall_state state = state_of(thread);
        if (!is_idle(&state)) {
            fl_stall_describe(atomic_load_explicit(&thread->number, memory_order_relaxed), &state);
        }
    }
    fl_mutex_unlock(&watch.mutex);
}

void fl_omp_watch_read(void) {
    const char *seconds = fl_params_foreign("FURLONG_STALL_SECONDS");
    watch.seconds = seconds ? strtoull(seconds, NULL, 10) : 0;
}

static void start(void) {
    fl_stall_start(look);
}

void fl_omp_watch_thread(unsigned number) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (watch.seconds == 0 || own.in_list) {
        return;
    }
    pthread_once(&once, start);
    own.reason = &fl_wait_reason;
    own.far = fl_omp_spread() ? fl_omp_far_reason() : NULL;
    own.in_list = true;
    atomic_store_explicit(&own.number, number, memory_order_relaxed);
    fl_mutex_lock(&watch.mutex);
    own.next = watch.first;
    watch.first = &own;
    fl_mutex_unlock(&watch.mutex);
}

void fl_omp_watch_end(void) {
    if (!own.in_list) {
        return;
    }
    fl_mutex_lock(&watch.mutex);
    struct watched **at = &watch.first;
    while (*at != &own) {
        at = &(*at)->next;
    }
    *at = own.next;
    fl_mutex_unlock(&watch.mutex);
    own.in_list = false;
}

void fl_omp_wait_begin(const char *what, unsigned number) {
    if (watch.seconds > 0) {
        atomic_store_explicit(&own.number, number, memory_order_relaxed);
        fl_wait_begin(what, NULL, 0);
        fl_wait_note_time();
    }
}

void fl_omp_wait_end(void) {
    if (watch.seconds > 0) {
        fl_wait_end();
    }
}
