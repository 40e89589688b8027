/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs and time. Linux. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

unsigned fl_os_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    /* The machine has more CPUs than the set can hold: take all of them. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

void fl_os_cpu_set(uint64_t *words, unsigned n_words) {
    cpu_set_t set;
    bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    for (unsigned cpu = 0; cpu < n_words * 64; cpu++) {
        uint64_t bit = known && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set);
        words[cpu / 64] = (cpu % 64 ? words[cpu / 64] : 0) | bit << cpu % 64;
    }
}

/* FNV-1a. */
static uint64_t mixed(uint64_t hash, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
    }
    return hash;
}

uint64_t fl_os_cpu_pool(void) {
    uint64_t cpus[CPU_SETSIZE / 64];
    char boot[64];
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, boot, sizeof boot);
    if (fd >= 0) {
        close(fd);
    }
    fl_os_cpu_set(cpus, CPU_SETSIZE / 64);
    uint64_t machine = mixed(0xcbf29ce484222325, boot, length > 0 ? (size_t)length : 0);
    return mixed(machine, cpus, sizeof cpus);
}

int fl_os_cpu_bind_set(const uint64_t *words, unsigned n_words) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (unsigned cpu = 0; cpu < n_words * 64 && cpu < CPU_SETSIZE; cpu++) {
        if (words[cpu / 64] >> cpu % 64 & 1) {
            CPU_SET(cpu, &set);
        }
    }
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : -errno;
}

/* The first number of a list such as 0-3,8; false if the file cannot be read. */
static bool first_in(const char *path, unsigned *first_p) {
    char text[32] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    *first_p = length > 0 ? (unsigned)strtoul(text, NULL, 10) : 0;
    return length > 0;
}

/* Numbers of NUMA nodes may have gaps, but small ones. */
static unsigned first_of_node(unsigned cpu) {
    char path[96];
    unsigned first;
    for (unsigned node = 0; node < 256; node++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/node%u", cpu, node);
        if (access(path, F_OK) == 0) {
            snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist", node);
            return first_in(path, &first) ? first : 0;
        }
    }
    return 0; /* a machine without nodes counts as one node */
}

unsigned fl_os_cpu_first_of(unsigned cpu, enum fl_os_cpu_group group) {
    static const char *const files[] = {[FL_OS_CPU_CORE] = "topology/thread_siblings_list",
                                        [FL_OS_CPU_SOCKET] = "topology/core_siblings_list"};
    char path[96];
    unsigned first = cpu;
    if (group == FL_OS_CPU_NUMA) {
        return first_of_node(cpu);
    }
    if (group == FL_OS_CPU_CACHE) {
        bool found = false;
        for (unsigned level = 4; level > 0 && !found; level--) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/shared_cpu_list",
                     cpu, level - 1);
            found = first_in(path, &first);
        }
        return found ? first : cpu;
    }
    if (group != FL_OS_CPU_ALONE) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/%s", cpu, files[group]);
        first = first_in(path, &first) ? first : cpu;
    }
    return first;
}

void fl_os_yield(void) {
    sched_yield();
}

void fl_os_nap(void) {
    const struct timespec shortest = {.tv_nsec = 1};
    (void)nanosleep(&shortest, NULL);
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t fl_os_now_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t fl_os_real_ns(void) {
    return clock_ns(CLOCK_REALTIME);
}

uint64_t fl_os_thread_cpu_ns(void) {
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}
