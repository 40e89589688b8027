/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routines that ask for, or set, what a thread is and its task has. Each has a name for Fortran
 * too: with an underscore, arguments by address; with _8_ where a program whose integers have 8
 * bytes calls it. OpenMP 5.1 §3.2-§3.6.
 */
#include "omp/places.h"
#include "omp/program.h"
#include "omp/spans.h"

#include <string.h>

static struct fl_omp_icvs *icvs(void) {
    return &fl_omp_self()->task->icvs;
}

static int limited(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int)value;
}

#define GET(name, value)                                                                           \
    FL_OMP_API int omp_##name(void) {                                                              \
        return (int)(value);                                                                       \
    }                                                                                              \
    FL_OMP_ALIAS(int32_t, omp_##name##_, (void), omp_##name);
/* The value for `of`. */
#define GET_OF(name, of, value)                                                                    \
    FL_OMP_API int omp_##name(int of) {                                                            \
        return (int)(value);                                                                       \
    }                                                                                              \
    FL_OMP_API int32_t omp_##name##_(const int32_t *of_p) {                                        \
        return omp_##name(*of_p);                                                                  \
    }                                                                                              \
    FL_OMP_API int32_t omp_##name##_8_(const int64_t *of_p) {                                      \
        return omp_##name(*of_p < 0 ? -1 : limited(*of_p));                                        \
    }
/* What `statement` does with `value`. */
#define SET(name, value, statement)                                                                \
    FL_OMP_API void omp_##name(int value) {                                                        \
        statement;                                                                                 \
    }                                                                                              \
    FL_OMP_API void omp_##name##_(const int32_t *value_p) {                                        \
        omp_##name(*value_p);                                                                      \
    }                                                                                              \
    FL_OMP_API void omp_##name##_8_(const int64_t *value_p) {                                      \
        omp_##name(limited(*value_p));                                                             \
    }

/* ---- teams of threads ---- */

GET(get_thread_num, fl_omp_me->number)
GET(get_num_threads, fl_omp_me->size)
GET(get_max_threads, fl_omp_threads(icvs()))
GET(in_parallel, fl_omp_self()->team->active_level > 0)
GET(get_level, fl_omp_self()->team->level)
GET(get_active_level, fl_omp_self()->team->active_level)
GET(get_thread_limit, icvs()->thread_limit)
GET(get_dynamic, icvs()->dynamic)
GET(get_max_active_levels, icvs()->max_active_levels)
GET(get_supported_active_levels, FL_OMP_MOST_LEVELS)
SET(set_num_threads, n, icvs()->threads = n > 0 ? (uint32_t)n : 1)
SET(set_dynamic, dynamic, icvs()->dynamic = dynamic != 0)

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

GET_OF(get_ancestor_thread_num, level, ancestor(level) ? (int)ancestor(level)->number : -1)
GET_OF(get_team_size, level, ancestor(level) ? (int)ancestor(level)->size : -1)

static void set_levels(int levels) {
    if (levels >= 0) {
        icvs()->max_active_levels =
            levels < FL_OMP_MOST_LEVELS ? (uint32_t)levels : FL_OMP_MOST_LEVELS;
    }
}

static void set_nested(bool nested) {
    uint32_t *levels = &icvs()->max_active_levels;
    if (!nested) {
        *levels = 1;
    } else if (*levels <= 1) {
        *levels = FL_OMP_MOST_LEVELS;
    }
}

static bool get_nested(void) {
    const struct fl_omp_member *me = fl_omp_self();
    return me->task->icvs.max_active_levels > me->team->active_level &&
           me->task->icvs.max_active_levels > 1;
}

SET(set_max_active_levels, levels, set_levels(levels))
SET(set_nested, nested, set_nested(nested))
GET(get_nested, get_nested())

/* ---- schedules ---- */

FL_OMP_API void omp_set_schedule(uint32_t kind, int chunk) {
    uint32_t schedule = kind & ~FL_OMP_MONOTONIC;
    if (schedule < FL_OMP_STATIC || schedule > FL_OMP_AUTO) {
        return;
    }
    icvs()->schedule = kind;
    /* Without a chunk: 0 for static, which divides evenly, and 1 for the others. */
    icvs()->chunk = chunk > 0 ? chunk : schedule == FL_OMP_STATIC ? 0 : 1;
}

FL_OMP_API void omp_set_schedule_(const int32_t *kind, const int32_t *chunk) {
    omp_set_schedule((uint32_t)*kind, *chunk);
}

FL_OMP_API void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk) {
    omp_set_schedule((uint32_t)*kind, limited(*chunk));
}

FL_OMP_API void omp_get_schedule(uint32_t *kind, int *chunk) {
    *kind = icvs()->schedule;
    *chunk = (int)icvs()->chunk;
}

FL_OMP_ALIAS(void, omp_get_schedule_, (uint32_t *, int32_t *), omp_get_schedule);

FL_OMP_API void omp_get_schedule_8_(uint32_t *kind, int64_t *chunk) {
    *kind = icvs()->schedule;
    *chunk = (int)icvs()->chunk;
}

/* ---- tasks, and leagues of teams ---- */

GET(get_cancellation, fl_omp_program.cancellation)
GET(in_final, fl_omp_self()->task->final)
/* Relaxed: its own. */
GET(in_explicit_task, atomic_load_explicit(&fl_omp_self()->task->depth, memory_order_relaxed) > 0)
GET(get_max_task_priority, fl_omp_program.max_task_priority)
GET(get_num_teams, icvs()->teams ? icvs()->teams : 1)
GET(get_team_num, icvs()->team)
GET(get_max_teams, fl_omp_program.teams)
GET(get_teams_thread_limit, fl_omp_program.teams_thread_limit)
SET(set_num_teams, n, fl_omp_program.teams = n > 0 ? (uint32_t)n : 0)
SET(set_teams_thread_limit, n, fl_omp_program.teams_thread_limit = n > 0 ? (uint32_t)n : 0)

/* ---- processors and places; numbers of 8 bytes are filled from behind, in place ---- */

static int next_cpu(int place, int cpu) {
    return place < 0 ? -1 : fl_omp_place_next_cpu((unsigned)place, cpu + 1);
}

static int count_cpus(int place) {
    int n = 0;
    for (int cpu = -1; (cpu = next_cpu(place, cpu)) >= 0;) {
        n++;
    }
    return n;
}

/* Where nothing is bound, no place is the thread's. */
GET(get_place_num, fl_omp_self()->bound ? fl_omp_self()->place : -1)
GET(get_num_procs, fl_omp_processors())
GET(get_proc_bind, icvs()->bind)
GET(get_num_places, fl_omp_places_count())
GET(get_partition_num_places, fl_omp_self()->places_n)
GET_OF(get_place_num_procs, place, count_cpus(place))

static void widen(int64_t *numbers, int n) {
    for (int i = n; i-- > 0;) {
        int32_t small;
        memcpy(&small, (char *)numbers + (size_t)i * sizeof small, sizeof small);
        numbers[i] = small;
    }
}

FL_OMP_API void omp_get_place_proc_ids(int place, int *ids) {
    for (int cpu = -1; (cpu = next_cpu(place, cpu)) >= 0;) {
        *ids++ = cpu;
    }
}

FL_OMP_API void omp_get_place_proc_ids_(const int32_t *place, int32_t *ids) {
    omp_get_place_proc_ids(*place, ids);
}

FL_OMP_API void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids) {
    omp_get_place_proc_ids((int)*place, (int *)ids);
    widen(ids, count_cpus((int)*place));
}

FL_OMP_API void omp_get_partition_place_nums(int *numbers) {
    const struct fl_omp_member *me = fl_omp_self();
    for (unsigned i = 0; i < me->places_n; i++) {
        numbers[i] = (int)(me->places_first + i);
    }
}

FL_OMP_ALIAS(void, omp_get_partition_place_nums_, (int32_t *), omp_get_partition_place_nums);

FL_OMP_API void omp_get_partition_place_nums_8_(int64_t *numbers) {
    omp_get_partition_place_nums((int *)numbers);
    widen(numbers, omp_get_partition_num_places());
}

/* ---- devices: the host alone ---- */

GET(get_num_devices, 0)
GET(get_initial_device, 0)
GET(get_device_num, 0)
GET(is_initial_device, 1)
GET(get_default_device, icvs()->device)
SET(set_default_device, device, icvs()->device = device >= 0 ? device : 0)

/* ---- others ---- */

FL_OMP_API double omp_get_wtime(void) {
    return (double)fl_os_now_ns() * 1e-9;
}
FL_OMP_ALIAS(double, omp_get_wtime_, (void), omp_get_wtime);

FL_OMP_API double omp_get_wtick(void) {
    return 1e-9;
}
FL_OMP_ALIAS(double, omp_get_wtick_, (void), omp_get_wtick);

SET(display_env, verbose, fl_omp_settings_show(&fl_omp_program, verbose != 0))

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

FL_OMP_API int32_t omp_pause_resource_(const int32_t *kind, const int32_t *device) {
    return omp_pause_resource(*kind, *device);
}

FL_OMP_API int omp_pause_resource_all(int kind) {
    return omp_pause_resource(kind, 0);
}

FL_OMP_API int32_t omp_pause_resource_all_(const int32_t *kind) {
    return omp_pause_resource(*kind, 0);
}
