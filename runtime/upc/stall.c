/* SPDX-License-Identifier: BSD-3-Clause */
/* See stall.h. Without the setting nothing here runs and SIGUSR1 is the program's. */
#include "upc/stall.h"

#include "core/fatal.h"
#include "upc/process.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

struct state {
    const char *what, *file;
    int line;
    uint64_t since_ns;
};

/* False if the thread has not started. Relaxed: see struct fl_wait_reason. */
static bool look(const struct upc_thread *thread, struct state *state) {
    /* [T2] pairs [T1]. */
    struct fl_wait_reason *reason = atomic_load_explicit(&thread->reason, memory_order_acquire);
    if (!reason) {
        return false;
    }
    state->what = atomic_load_explicit(&reason->what, memory_order_relaxed);
    state->file = atomic_load_explicit(&reason->file, memory_order_relaxed);
    state->line = atomic_load_explicit(&reason->line, memory_order_relaxed);
    state->since_ns = atomic_load_explicit(&reason->since_ns, memory_order_relaxed);
    return true;
}

static void describe(unsigned thread, const struct state *state) {
    uint64_t seconds = state->since_ns ? (fl_os_now_ns() - state->since_ns) / 1000000000u : 0;
    if (!state->what) {
        fprintf(stderr, "thread %u runs\n", thread);
    } else if (state->file && state->line) {
        fprintf(stderr, "thread %u waits in %s (%s:%d) for %" PRIu64 " s\n", thread, state->what,
                state->file, state->line, seconds);
    } else if (state->line) {
        fprintf(stderr, "thread %u waits in %s for thread %d, for %" PRIu64 " s\n", thread,
                state->what, state->line - 1, seconds);
    } else {
        fprintf(stderr, "thread %u waits in %s for %" PRIu64 " s\n", thread, state->what, seconds);
    }
}

/* Tells of a wait that has become too long, once. */
static void tell_if_stalled(struct upc_thread *thread, const struct state *state) {
    uint64_t limit_ns = upc_process.params.stall_seconds * 1000000000u;
    if (state->what && state->since_ns && state->since_ns != thread->told_since_ns &&
        fl_os_now_ns() - state->since_ns >= limit_ns) {
        thread->told_since_ns = state->since_ns;
        describe(thread->me, state);
    }
}

static void *watch(void *unused) {
    (void)unused;
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    for (;;) {
        const struct timespec second = {.tv_sec = 1};
        bool asked = sigtimedwait(&usr1, NULL, &second) == SIGUSR1;
        for (unsigned i = 0; i < upc_process.job.count; i++) {
            struct upc_thread *thread = &upc_process.threads[i];
            struct state state;
            if (look(thread, &state)) {
                if (asked) {
                    describe(thread->me, &state);
                } else {
                    tell_if_stalled(thread, &state);
                }
            }
        }
    }
    return NULL;
}

void upc_stall_start(void) {
    if (upc_process.params.stall_seconds == 0) {
        return;
    }
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    if (fl_os_thread_start(watch, NULL, 0) != 0) {
        fl_warn("FURLONG_STALL_SECONDS: cannot start the thread that watches");
    }
}
