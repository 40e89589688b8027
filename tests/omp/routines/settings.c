/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_SCHEDULE=guided,7 OMP_DYNAMIC=false OMP_THREAD_LIMIT=100 OMP_MAX_TASK_PRIORITY=9
//@ env: OMP_STACKSIZE=4M OMP_WAIT_POLICY=passive OMP_PROC_BIND=false
/* What the environment sets, and what the program changes, for itself and what it forks. */
#include "../inputs/check.h"

int main(void) {
    omp_sched_t kind;
    int chunk, n = omp_get_max_threads();
    omp_get_schedule(&kind, &chunk);
    CHECK((kind & 15) == omp_sched_guided && chunk == 7);
    CHECK(omp_get_thread_limit() == 100 && omp_get_max_task_priority() == 9);
    CHECK(!omp_get_dynamic() && omp_get_num_procs() >= 1 && omp_get_proc_bind() == omp_proc_bind_false);
    omp_set_schedule(omp_sched_static, 3);
#pragma omp parallel private(kind, chunk)
    {
        omp_get_schedule(&kind, &chunk);
        CHECK((kind & 15) == omp_sched_static && chunk == 3);
        CHECK(omp_get_thread_limit() == 100);
        if (omp_get_thread_num() == 0) {
            omp_set_schedule(omp_sched_dynamic, 11);
        }
    }
    omp_set_num_threads(2);
    CHECK(omp_get_max_threads() == 2);
#pragma omp parallel
    CHECK(omp_get_num_threads() == 2);
    omp_set_num_threads(n);
    omp_set_dynamic(1);
    CHECK(omp_get_dynamic());
    omp_set_dynamic(0);
    double start = omp_get_wtime(), tick = omp_get_wtick();
    CHECK(tick > 0 && tick < 1 && omp_get_wtime() >= start);
    CHECK(omp_get_num_devices() == 0 && omp_is_initial_device() && omp_get_initial_device() == 0);
    CHECK(omp_get_level() == 0 && omp_get_active_level() == 0 && omp_get_team_size(0) == 1);
    CHECK(omp_get_team_size(1) == -1 && omp_get_supported_active_levels() >= 1);
    CHECK(!omp_in_final() && !omp_in_parallel() && omp_get_num_teams() == 1);
    return result();
}
