/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. */
#include "omp/program.h"

#include "core/params.h"
#include "omp/team.h"

#include <stdlib.h>

struct fl_omp_program fl_omp_program;

struct fl_wait_policy fl_omp_policy(unsigned n) {
    return fl_wait_choose(n, fl_omp_program.cpus, fl_omp_program.spins, fl_omp_program.yields);
}

__attribute__((constructor)) static void start(void) {
    fl_omp_program.cpus = fl_os_cpu_count();
    struct fl_omp_icvs *icvs = &fl_omp_program.icvs;
    *icvs = (struct fl_omp_icvs){.threads = fl_omp_program.cpus,
                                 .thread_limit = UINT32_MAX,
                                 .max_active_levels = 1,
                                 .schedule = FL_OMP_DYNAMIC,
                                 .chunk = 1,
                                 .allocator = 1};
    const char *threads = fl_params_foreign("OMP_NUM_THREADS");
    if (threads && atoi(threads) > 0) {
        icvs->threads = (uint32_t)atoi(threads);
    }
}
