/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. */
#include "omp/program.h"

#include "omp/places.h"
#include "omp/spans.h"

struct fl_omp_program fl_omp_program;

/* Threads that have a CPU each wait for the next region for some milliseconds without sleeping:
 * programs do short things between regions, and who sleeps takes long to wake. */
enum { PATIENT_YIELDS = 10000 };

struct fl_wait_policy fl_omp_policy(unsigned n) {
    const struct fl_omp_program *program = &fl_omp_program;
    uint64_t spins = program->spins < UINT32_MAX ? program->spins : UINT32_MAX;
    struct fl_wait_policy policy = fl_wait_choose(n, program->cpus, spins, 0);
    if (program->waiting == FL_OMP_WAIT_PASSIVE) {
        return (struct fl_wait_policy){.spins = 1, .yields = 1};
    }
    if (n <= program->cpus || program->waiting == FL_OMP_WAIT_ACTIVE) {
        policy.yields = PATIENT_YIELDS;
    }
    return policy;
}

unsigned fl_omp_processors(void) {
    return fl_omp_spread() ? fl_omp_far.hosts * fl_omp_far.threads : fl_omp_program.cpus;
}

__attribute__((constructor)) static void start(void) {
    fl_omp_program.cpus = fl_os_cpu_count();
    fl_omp_settings_read(&fl_omp_program);
    fl_omp_places_start();
    if (fl_omp_program.show_settings) {
        fl_omp_settings_show(&fl_omp_program, fl_omp_program.show_settings == FL_OMP_SHOW_VERBOSE);
    }
}
