/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPUs of a reference that makes threads of its own. The launcher binds each UPC thread to a CPU,
 * and threads that such a one makes would take turns on it: the reference would be measured with one.
 * For files that define _GNU_SOURCE before their first header.
 */
#ifndef CPUS_H
#define CPUS_H

#include <sched.h>
#include <unistd.h>

/* The calling thread, and those that it makes, may run wherever the launcher may. Returns where the
 * thread belongs: for cpus_leave. */
static inline cpu_set_t cpus_take_all(void) {
    cpu_set_t own, all;
    sched_getaffinity(0, sizeof own, &own);
    if (sched_getaffinity(getppid(), sizeof all, &all) == 0) {
        sched_setaffinity(0, sizeof all, &all);
    }
    return own;
}

static inline void cpus_leave(cpu_set_t own) {
    sched_setaffinity(0, sizeof own, &own);
}

#endif
