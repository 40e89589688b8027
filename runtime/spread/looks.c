/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that wait in a loop until another has written to memory.
 *
 * A flush in the loop takes the lock of flushes, which brings what was written before other
 * flushes. A write that another construct has released (a barrier, a lock, a critical or atomic
 * construct on something else) comes by no lock that the loop takes, and OpenMP orders it before
 * the flush all the same (OpenMP 5.2, 1.4.5). So a flush also asks the other hosts what they have
 * written, at most every BETWEEN_NS of this host: a loop sees the write so much later, and a
 * program that flushes without waiting pays one round of messages in that time.
 *
 * Without a flush or an atomic operation OpenMP does not say that the loop ever ends, and on one
 * host it does. The thread asks the other hosts likewise, and once more when it has seen what it
 * waited for: that may have come sooner than what was written before it. ompcc has calls for both
 * in loops that only read and sleep (tools/src/ompcc/loops.rs). Other such loops mostly sleep, or
 * yield.
 */
#include "spread/inside.h"

#include <sched.h>
#include <threads.h>
#include <unistd.h>

enum { BETWEEN_NS = 500000 };

/* Functions that a program with such loops calls; begins of their names. */
static const char *const signs[] = {"fl_omp_look",  "fl_omp_fence", "__kmpc_flush",
                                    "usleep",       "nanosleep",    "sleep",
                                    "sched_yield",  "thrd_yield",   "thrd_sleep",
                                    "clock_nanosleep"};

bool fl_looks_may_be(void) {
    bool any = false;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        any = any || fl_objects_call(signs[i]);
    }
    return any;
}

/* Between regions no other host has threads that write. */
static bool others_write(void) {
    return fl_spread_together() &&
           atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
}

static void look_if_due(void) {
    static _Atomic uint64_t looked_ns; /* of this host; relaxed: nothing is published by it */
    uint64_t now = fl_os_now_ns();
    if (now - atomic_load_explicit(&looked_ns, memory_order_relaxed) >= BETWEEN_NS) {
        atomic_store_explicit(&looked_ns, now, memory_order_relaxed);
        fl_meet_settle();
        fl_dsm_look();
    }
}

void fl_looks_flush(void) {
    if (others_write()) {
        look_if_due();
    }
}

void fl_looks_sleep(const void *pc) {
    if (others_write() && fl_object_of(pc) == FL_OBJECT_PROGRAM) {
        look_if_due();
    }
}

/* Whether the calling thread has begun such a loop since it last left one. Compilers jump into the
 * middle of loops: a thread that walks a list past one element leaves, at each of the others, what
 * would wait if that element were its own successor. */
static _Thread_local bool has_waited;

/* Called each time around such a loop. */
void fl_spread_look(void);
void fl_spread_look(void) {
    has_waited = true;
    if (others_write()) {
        look_if_due();
        fl_os_yield();
    }
}

/* Called after it. */
void fl_spread_seen(void);
void fl_spread_seen(void) {
    if (has_waited && others_write()) {
        fl_meet_settle();
        fl_dsm_look();
    }
    has_waited = false;
}

#define SLEEPS(type, name, parameters, arguments)                                                  \
    FL_EXPORT type name parameters {                                                               \
        fl_looks_sleep(__builtin_return_address(0));                                               \
        return FL_NEXT(name) arguments;                                                            \
    }
SLEEPS(int, usleep, (useconds_t time), (time))
SLEEPS(unsigned, sleep, (unsigned time), (time))
SLEEPS(int, sched_yield, (void), ())
SLEEPS(int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left))
SLEEPS(void, thrd_yield, (void), ())
