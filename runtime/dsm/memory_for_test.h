/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where tests over several hosts have coherent memory, and how accesses to it are noticed: by each
 * mechanism in turn. A test includes comm/world_for_test.h first, and starts the memory before it
 * connects.
 */
#ifndef FL_DSM_MEMORY_FOR_TEST_H
#define FL_DSM_MEMORY_FOR_TEST_H

#include "dsm/dsm.h"

#if TEST_TSAN
#define BASE ((uintptr_t)0x2000000000)
/* A fault is no surprise to its thread, which holds no lock at an access to the memory. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "report_signal_unsafe=0";
}
#else
#define BASE ((uintptr_t)3 << 43)
#endif

/* See fl_dsm_setup. Null: the best mechanism, with tracking where it pays. */
static const char *faults;
/* Whether threads call fl_dsm_look. */
static bool looks;
/* What is called for races; null: none is looked for. */
static void (*check_race)(const struct fl_dsm_race *race);

static inline const char *faults_name(void) {
    return faults ? faults : "the best";
}

/* Calls `act` for each mechanism that this kernel allows. */
static inline void by_all_faults(void act(void)) {
    static const char *const all[] = {"userfaultfd", FL_FAULT_TRACKING, "mprotect", NULL};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        faults = all[i];
        int handle;
        const struct fl_fault_ops *ops = fl_fault_open(faults, &handle);
        if (!ops) {
            printf("# this kernel does not allow %s\n", faults_name());
            continue;
        }
        ops->close(handle);
        act();
    }
}

static inline void start_memory(const struct fl_map_range *ranges, unsigned n) {
    fl_dsm_start(&(struct fl_dsm_setup){
        .hosts = layout.hosts,
        .me = layout.my_host,
        .threads = fl_layout_my_threads(&layout),
        .ranges = ranges,
        .n_ranges = n,
        .faults = faults,
        .looks = looks,
        .check = check_race,
        .wait = fl_wait_choose(layout.threads, fl_os_cpu_count(), 0, 0),
    });
}

#endif
