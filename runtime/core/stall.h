/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that hang: reads what other threads wait for (core/wait.h), and the thread that
 * checks them. */
#ifndef FL_CORE_STALL_H
#define FL_CORE_STALL_H

#include "core/wait.h"

struct fl_stall_state {
    const char *what, *file;
    int line;
    uint64_t since_ns;
};

/* The state of any thread. Relaxed: see struct fl_wait_reason. */
static inline struct fl_stall_state fl_stall_look(const struct fl_wait_reason *reason) {
    return (struct fl_stall_state){
        .what = atomic_load_explicit(&reason->what, memory_order_relaxed),
        .file = atomic_load_explicit(&reason->file, memory_order_relaxed),
        .line = atomic_load_explicit(&reason->line, memory_order_relaxed),
        .since_ns = atomic_load_explicit(&reason->since_ns, memory_order_relaxed),
    };
}

/* Whether it has waited so long. */
bool fl_stall_is(const struct fl_stall_state *state, uint64_t seconds);

/* "thread 3 waits in upc_lock for 5 s", on stderr. */
void fl_stall_describe(unsigned thread, const struct fl_stall_state *state);

/* Starts a thread that calls `look` every second, and with `all` when the user asks by SIGUSR1, or
 * by Ctrl-C before the process ends. The caller's threads must be started later: they must inherit
 * that the two signals are blocked. */
void fl_stall_start(void (*look)(bool all));

#endif
