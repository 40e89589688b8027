/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines that ask for, or set, what a thread is and its task has. OpenMP 5.1 §3.2. */
#include "omp/program.h"
#include "omp/team.h"

FL_OMP_API int omp_get_thread_num(void) {
    return (int)fl_omp_me->number;
}

FL_OMP_API int omp_get_num_threads(void) {
    return (int)fl_omp_me->size;
}

FL_OMP_API int omp_get_max_threads(void) {
    return (int)fl_omp_self()->task->icvs.threads;
}

FL_OMP_API void omp_set_num_threads(int n) {
    fl_omp_self()->task->icvs.threads = n > 0 ? (uint32_t)n : 1;
}

FL_OMP_API int omp_in_parallel(void) {
    return fl_omp_self()->team->active_level > 0;
}

FL_OMP_API int omp_get_num_procs(void) {
    return (int)fl_omp_program.cpus;
}

FL_OMP_API double omp_get_wtime(void) {
    return (double)fl_os_now_ns() * 1e-9;
}

FL_OMP_API double omp_get_wtick(void) {
    return 1e-9;
}
