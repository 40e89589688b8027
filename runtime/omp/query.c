/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines that ask for, or set, what a thread is and its task has. OpenMP 5.1 §3.2-§3.6. */
#include "omp/places.h"
#include "omp/program.h"
#include "omp/spans.h"

static struct fl_omp_icvs *icvs(void) {
    return &fl_omp_self()->task->icvs;
}

/* ---- teams of threads ---- */

FL_OMP_API int omp_get_thread_num(void) {
    return (int)fl_omp_me->number;
}

FL_OMP_API int omp_get_num_threads(void) {
    return (int)fl_omp_me->size;
}

FL_OMP_API int omp_get_max_threads(void) {
    return (int)fl_omp_threads(icvs());
}

FL_OMP_API void omp_set_num_threads(int n) {
    icvs()->threads = n > 0 ? (uint32_t)n : 1;
}

FL_OMP_API int omp_in_parallel(void) {
    return fl_omp_self()->team->active_level > 0;
}

FL_OMP_API int omp_get_level(void) {
    return (int)fl_omp_self()->team->level;
}

FL_OMP_API int omp_get_active_level(void) {
    return (int)fl_omp_self()->team->active_level;
}

/* The thread as a member of the team of that level around it; null: there is none. */
static const struct fl_omp_member *ancestor(int level) {
    const struct fl_omp_member *member = fl_omp_self();
    if (level < 0 || level > (int)member->team->level) {
        return NULL;
    }
    while ((int)member->team->level > level) {
        member = member->team->outer;
    }
    return member;
}

FL_OMP_API int omp_get_ancestor_thread_num(int level) {
    const struct fl_omp_member *member = ancestor(level);
    return member ? (int)member->number : -1;
}

FL_OMP_API int omp_get_team_size(int level) {
    const struct fl_omp_member *member = ancestor(level);
    return member ? (int)member->size : -1;
}

FL_OMP_API int omp_get_thread_limit(void) {
    return (int)icvs()->thread_limit;
}

FL_OMP_API void omp_set_dynamic(int dynamic) {
    icvs()->dynamic = dynamic != 0;
}

FL_OMP_API int omp_get_dynamic(void) {
    return icvs()->dynamic;
}

FL_OMP_API void omp_set_max_active_levels(int levels) {
    if (levels >= 0) {
        icvs()->max_active_levels =
            levels < FL_OMP_MOST_LEVELS ? (uint32_t)levels : FL_OMP_MOST_LEVELS;
    }
}

FL_OMP_API int omp_get_max_active_levels(void) {
    return (int)icvs()->max_active_levels;
}

FL_OMP_API int omp_get_supported_active_levels(void) {
    return FL_OMP_MOST_LEVELS;
}

FL_OMP_API void omp_set_nested(int nested) {
    uint32_t *levels = &icvs()->max_active_levels;
    if (!nested) {
        *levels = 1;
    } else if (*levels <= 1) {
        *levels = FL_OMP_MOST_LEVELS;
    }
}

FL_OMP_API int omp_get_nested(void) {
    const struct fl_omp_member *me = fl_omp_self();
    return me->task->icvs.max_active_levels > me->team->active_level &&
           me->task->icvs.max_active_levels > 1;
}

FL_OMP_API void omp_set_schedule(uint32_t kind, int chunk) {
    uint32_t schedule = kind & ~FL_OMP_MONOTONIC;
    if (schedule < FL_OMP_STATIC || schedule > FL_OMP_AUTO) {
        return;
    }
    icvs()->schedule = kind;
    /* Without a chunk: 0 for static, which divides evenly, and 1 for the others. */
    icvs()->chunk = chunk > 0 ? chunk : schedule == FL_OMP_STATIC ? 0 : 1;
}

FL_OMP_API void omp_get_schedule(uint32_t *kind, int *chunk) {
    *kind = icvs()->schedule;
    *chunk = (int)icvs()->chunk;
}

FL_OMP_API int omp_get_cancellation(void) {
    return fl_omp_program.cancellation;
}

FL_OMP_API int omp_in_final(void) {
    return fl_omp_self()->task->final;
}

FL_OMP_API int omp_in_explicit_task(void) {
    /* Relaxed: its own. */
    return atomic_load_explicit(&fl_omp_self()->task->depth, memory_order_relaxed) > 0;
}

FL_OMP_API int omp_get_max_task_priority(void) {
    return (int)fl_omp_program.max_task_priority;
}

/* ---- leagues of teams ---- */

FL_OMP_API int omp_get_num_teams(void) {
    uint32_t n = icvs()->teams;
    return n ? (int)n : 1;
}

FL_OMP_API int omp_get_team_num(void) {
    return (int)icvs()->team;
}

FL_OMP_API void omp_set_num_teams(int n) {
    fl_omp_program.teams = n > 0 ? (uint32_t)n : 0;
}

FL_OMP_API int omp_get_max_teams(void) {
    return (int)fl_omp_program.teams;
}

FL_OMP_API void omp_set_teams_thread_limit(int limit) {
    fl_omp_program.teams_thread_limit = limit > 0 ? (uint32_t)limit : 0;
}

FL_OMP_API int omp_get_teams_thread_limit(void) {
    return (int)fl_omp_program.teams_thread_limit;
}

/* ---- processors and places ---- */

FL_OMP_API int omp_get_num_procs(void) {
    return (int)fl_omp_processors();
}

FL_OMP_API int omp_get_proc_bind(void) {
    return icvs()->bind;
}

FL_OMP_API int omp_get_num_places(void) {
    return (int)fl_omp_places_count();
}

FL_OMP_API int omp_get_place_num_procs(int place) {
    int n = 0;
    for (int cpu = -1; place >= 0 && (cpu = fl_omp_place_next_cpu((unsigned)place, cpu + 1)) >= 0;) {
        n++;
    }
    return n;
}

FL_OMP_API void omp_get_place_proc_ids(int place, int *ids) {
    for (int cpu = -1; place >= 0 && (cpu = fl_omp_place_next_cpu((unsigned)place, cpu + 1)) >= 0;) {
        *ids++ = cpu;
    }
}

/* Where nothing is bound, no place is the thread's. */
FL_OMP_API int omp_get_place_num(void) {
    const struct fl_omp_member *me = fl_omp_self();
    return me->bound ? me->place : -1;
}

FL_OMP_API int omp_get_partition_num_places(void) {
    return (int)fl_omp_self()->places_n;
}

FL_OMP_API void omp_get_partition_place_nums(int *numbers) {
    const struct fl_omp_member *me = fl_omp_self();
    for (unsigned i = 0; i < me->places_n; i++) {
        numbers[i] = (int)(me->places_first + i);
    }
}

/* ---- devices: the host alone ---- */

FL_OMP_API int omp_get_num_devices(void) {
    return 0;
}

FL_OMP_API int omp_get_initial_device(void) {
    return 0;
}

FL_OMP_API int omp_get_device_num(void) {
    return 0;
}

FL_OMP_API int omp_is_initial_device(void) {
    return 1;
}

FL_OMP_API void omp_set_default_device(int device) {
    icvs()->device = device >= 0 ? device : 0;
}

FL_OMP_API int omp_get_default_device(void) {
    return icvs()->device;
}

/* ---- others ---- */

FL_OMP_API double omp_get_wtime(void) {
    return (double)fl_os_now_ns() * 1e-9;
}

FL_OMP_API double omp_get_wtick(void) {
    return 1e-9;
}

FL_OMP_API void omp_display_env(int verbose) {
    fl_omp_settings_show(&fl_omp_program, verbose != 0);
}

/* Threads that the caller's regions have kept end, and with them their threadprivate data. */
FL_OMP_API int omp_pause_resource(int kind, int device) {
    (void)kind;
    struct fl_omp_member *me = fl_omp_self();
    if (device != 0 || me->team->level > 0) {
        return -1;
    }
    fl_omp_team_drop(me);
    return 0;
}

FL_OMP_API int omp_pause_resource_all(int kind) {
    return omp_pause_resource(kind, 0);
}
