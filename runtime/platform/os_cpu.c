/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs and time. Linux. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

unsigned fl_os_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    /* More CPUs than the set holds: all of them, then. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

int fl_os_cpu_bind(unsigned cpu) {
    if (cpu >= CPU_SETSIZE) {
        return -EINVAL;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : -errno;
}

void fl_os_yield(void) {
    sched_yield();
}

uint64_t fl_os_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
