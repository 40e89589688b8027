/* SPDX-License-Identifier: BSD-3-Clause */
/* See stall.h. */
#include "core/stall.h"

#include "core/fatal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

bool fl_stall_is(const struct fl_stall_state *state, uint64_t seconds) {
    return state->what && state->since_ns &&
           fl_os_now_ns() - state->since_ns >= seconds * 1000000000u;
}

void fl_stall_describe(unsigned thread, const struct fl_stall_state *state) {
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

static sigset_t signals;

/* Has the signal do what it would have done without this thread. */
static void pass_on(int number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
}

static void *watch(void *look_p) {
    void (*look)(bool all) = *(void (**)(bool))look_p;
    for (;;) {
        const struct timespec second = {.tv_sec = 1};
        int number = sigtimedwait(&signals, NULL, &second);
        look(number > 0);
        if (number == SIGINT) {
            pass_on(number);
        }
    }
    return NULL;
}

void fl_stall_start(void (*look)(bool all)) {
    static void (*given)(bool all);
    struct sigaction interrupt;
    given = look;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    if (sigaction(SIGINT, NULL, &interrupt) == 0 && interrupt.sa_handler == SIG_DFL) {
        sigaddset(&signals, SIGINT);
    }
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (fl_os_thread_start(watch, &given, 0) != 0) {
        fl_warn("FURLONG_STALL_SECONDS: cannot start the thread that watches");
    }
}
