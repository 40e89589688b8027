/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. */
#include "omp/program.h"

#include "core/fatal.h"
#include "omp/fault.h"
#include "omp/places.h"
#include "omp/spans.h"
#include "omp/watch.h"

struct fl_omp_program fl_omp_program;

/* Threads that have a CPU each spin for some milliseconds before they sleep: programs do short
 * things between regions, and a sleeping thread takes long to wake. And where two threads have come
 * to one CPU, the kernel moves one only if both want to run. */
enum { PATIENT_LOOKS = 200000, PATIENT_YIELDS = 1 };

struct fl_wait_policy fl_omp_policy(unsigned n) {
    const struct fl_omp_program *program = &fl_omp_program;
    n += fl_omp_spread() ? fl_omp_far.beside : 0;
    if (program->waiting == FL_OMP_WAIT_PASSIVE) {
        return (struct fl_wait_policy){.spins = 1, .yields = 1};
    }
    bool patient = n <= program->cpus || program->waiting == FL_OMP_WAIT_ACTIVE;
    uint64_t spins = program->spins ? program->spins : patient ? PATIENT_LOOKS : 0;
    return fl_wait_choose(n, program->cpus, spins < UINT32_MAX ? spins : UINT32_MAX,
                          patient ? PATIENT_YIELDS : 0);
}

unsigned fl_omp_processors(void) {
    return fl_omp_spread() ? fl_omp_far.hosts * fl_omp_far.threads : fl_omp_program.cpus;
}

uint64_t fl_omp_stack(void) {
    return fl_omp_program.stack;
}

static void rest(void) {
    if (fl_omp_spread()) {
        fl_omp_far_rest();
    }
}

static bool avoids_long_yields(void) {
    return !fl_omp_spread();
}

__attribute__((constructor)) static void start(void) {
    bool speaks = !fl_omp_far_speaks || fl_omp_far_speaks();
    fl_warn_set_quiet(!speaks);
    fl_wait_service.rest = rest;
    fl_wait_service.avoids_long_yields = avoids_long_yields;
    fl_omp_program.cpus = fl_os_cpu_count();
    fl_omp_settings_read(&fl_omp_program);
    fl_omp_watch_read();
    fl_omp_places_start();
    fl_omp_fault_start();
    fl_warn_set_quiet(false);
    if (fl_omp_program.show_settings && speaks) {
        fl_omp_settings_show(&fl_omp_program, fl_omp_program.show_settings == FL_OMP_SHOW_VERBOSE);
    }
}
