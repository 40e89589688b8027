/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which threads have left a state with their host: by the functions of states.def, and those of
 * process_state.c. A thread that has must be on that host in later regions too, so regions are
 * distributed for good, or kept (omp/profit.h). The thread that executes main is on host 0 in any
 * case, and so most programs that call such a function stay mobile.
 */
#include "spread/inside.h"

#include <getopt.h>
#include <string.h>

static _Thread_local bool runs_main;
static _Atomic bool noted; /* of a host but 0, which has not told host 0 yet */

/* Of host 0. Relaxed: the thread that begins regions has waited for the one that writes. */
static _Atomic bool bound_far, bound_here;

bool fl_omp_far_bound_far(void) {
    return atomic_load_explicit(&bound_far, memory_order_relaxed);
}

bool fl_omp_far_bound_here(void) {
    return atomic_load_explicit(&bound_here, memory_order_relaxed);
}

void fl_state_start(void) {
    runs_main = fl_spread_me() == 0;
}

void fl_state_note(void) {
    /* Relaxed, all: the thread that joins waits for this one, and so does one that begins regions. */
    if (!fl_spread_together() || runs_main) {
        return;
    }
    if (fl_spread_me() > 0) {
        atomic_store_explicit(&noted, true, memory_order_relaxed);
    } else if (fl_omp_kept && fl_omp_kept() > 0 &&
               !atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed)) {
        atomic_store_explicit(&bound_here, true, memory_order_relaxed);
    }
}

void fl_state_tell(void) {
    if (FL_UNLIKELY(atomic_load_explicit(&noted, memory_order_relaxed))) {
        atomic_store_explicit(&noted, false, memory_order_relaxed);
        fl_comm_tell(0, FL_COMM_SPREAD, FL_MESSAGE_WORDS(fl_spread, state), NULL, 0);
    }
}

void fl_spread_serve_state(const struct fl_comm_call *call,
                           const struct fl_spread_state_message *words) {
    (void)call;
    (void)words;
    atomic_store_explicit(&bound_far, true, memory_order_relaxed);
}

bool fl_state_has(const char *name) {
#define FL_STATE(result, function, parameters, arguments)                                          \
    if (strcmp(name, #function) == 0) {                                                            \
        return true;                                                                               \
    }
#include "spread/states.def"
#undef FL_STATE
    return false;
}

#define FL_STATE(result, function, parameters, arguments)                                          \
    FL_EXPORT result function parameters {                                                         \
        fl_state_note();                                                                           \
        return FL_NEXT(function) arguments;                                                        \
    }
#include "spread/states.def"
#undef FL_STATE
