/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran's names of the routines: with an underscore, arguments by address; with _8_ where a program
 * whose integers have 8 bytes calls them. Locks are in omp_lock.c.
 */
#include "omp/team.h"

#include <string.h>

#define GET(name)                                                                                  \
    int omp_##name(void);                                                                          \
    FL_OMP_API int32_t omp_##name##_(void) {                                                       \
        return omp_##name();                                                                       \
    }
GET(get_thread_num)
GET(get_num_threads)
GET(get_max_threads)
GET(in_parallel)
GET(get_level)
GET(get_active_level)
GET(get_thread_limit)
GET(get_dynamic)
GET(get_max_active_levels)
GET(get_supported_active_levels)
GET(get_nested)
GET(get_cancellation)
GET(in_final)
GET(in_explicit_task)
GET(get_max_task_priority)
GET(get_num_teams)
GET(get_team_num)
GET(get_max_teams)
GET(get_teams_thread_limit)
GET(get_num_procs)
GET(get_proc_bind)
GET(get_num_places)
GET(get_place_num)
GET(get_partition_num_places)
GET(get_num_devices)
GET(get_initial_device)
GET(get_device_num)
GET(is_initial_device)
GET(get_default_device)

#define SET(name)                                                                                  \
    void omp_##name(int value);                                                                    \
    FL_OMP_API void omp_##name##_(const int32_t *value) {                                          \
        omp_##name(*value);                                                                        \
    }                                                                                              \
    FL_OMP_API void omp_##name##_8_(const int64_t *value) {                                        \
        omp_##name(*value > INT32_MAX ? INT32_MAX : *value < INT32_MIN ? INT32_MIN : (int)*value); \
    }
SET(set_num_threads)
SET(set_dynamic)
SET(set_max_active_levels)
SET(set_nested)
SET(set_num_teams)
SET(set_teams_thread_limit)
SET(set_default_device)
SET(display_env)

#define OF(name)                                                                                   \
    int omp_##name(int of);                                                                        \
    FL_OMP_API int32_t omp_##name##_(const int32_t *of) {                                          \
        return omp_##name(*of);                                                                    \
    }                                                                                              \
    FL_OMP_API int32_t omp_##name##_8_(const int64_t *of) {                                        \
        return *of < 0 || *of > INT32_MAX ? omp_##name(-1) : omp_##name((int)*of);                 \
    }
OF(get_ancestor_thread_num)
OF(get_team_size)
OF(get_place_num_procs)

double omp_get_wtime(void);
FL_OMP_API double omp_get_wtime_(void) {
    return omp_get_wtime();
}

double omp_get_wtick(void);
FL_OMP_API double omp_get_wtick_(void) {
    return omp_get_wtick();
}

/* ---- schedules ---- */

void omp_set_schedule(uint32_t kind, int chunk);
FL_OMP_API void omp_set_schedule_(const int32_t *kind, const int32_t *chunk) {
    omp_set_schedule((uint32_t)*kind, *chunk);
}

FL_OMP_API void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk) {
    omp_set_schedule((uint32_t)*kind, *chunk > INT32_MAX ? INT32_MAX : (int)*chunk);
}

void omp_get_schedule(uint32_t *kind, int *chunk);
FL_OMP_API void omp_get_schedule_(int32_t *kind, int32_t *chunk) {
    omp_get_schedule((uint32_t *)kind, chunk);
}

FL_OMP_API void omp_get_schedule_8_(int32_t *kind, int64_t *chunk) {
    int32_t small;
    omp_get_schedule_(kind, &small);
    *chunk = small;
}

/* ---- places; the numbers of 8 bytes are filled from behind, in place ---- */

static void widen(int64_t *numbers, int n) {
    for (int i = n; i-- > 0;) {
        int32_t small;
        memcpy(&small, (char *)numbers + (size_t)i * sizeof small, sizeof small);
        numbers[i] = small;
    }
}

void omp_get_place_proc_ids(int place, int *ids);
FL_OMP_API void omp_get_place_proc_ids_(const int32_t *place, int32_t *ids) {
    omp_get_place_proc_ids(*place, ids);
}

FL_OMP_API void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids) {
    omp_get_place_proc_ids((int)*place, (int *)ids);
    widen(ids, omp_get_place_num_procs((int)*place));
}

void omp_get_partition_place_nums(int *numbers);
FL_OMP_API void omp_get_partition_place_nums_(int32_t *numbers) {
    omp_get_partition_place_nums(numbers);
}

FL_OMP_API void omp_get_partition_place_nums_8_(int64_t *numbers) {
    omp_get_partition_place_nums((int *)numbers);
    widen(numbers, omp_get_partition_num_places());
}

/* ---- others ---- */

int omp_pause_resource(int kind, int device);
FL_OMP_API int32_t omp_pause_resource_(const int32_t *kind, const int32_t *device) {
    return omp_pause_resource(*kind, *device);
}

int omp_pause_resource_all(int kind);
FL_OMP_API int32_t omp_pause_resource_all_(const int32_t *kind) {
    return omp_pause_resource_all(*kind);
}

uintptr_t omp_init_allocator(uintptr_t space, int n, const void *traits);
FL_OMP_API uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *n,
                                         const void *traits) {
    return omp_init_allocator(*space, *n, traits);
}

FL_OMP_API uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *n,
                                           const void *traits) {
    return omp_init_allocator(*space, (int)*n, traits);
}

void omp_destroy_allocator(uintptr_t allocator);
FL_OMP_API void omp_destroy_allocator_(const uintptr_t *allocator) {
    omp_destroy_allocator(*allocator);
}

void omp_set_default_allocator(uintptr_t allocator);
FL_OMP_API void omp_set_default_allocator_(const uintptr_t *allocator) {
    omp_set_default_allocator(*allocator);
}

uintptr_t omp_get_default_allocator(void);
FL_OMP_API uintptr_t omp_get_default_allocator_(void) {
    return omp_get_default_allocator();
}

void omp_display_env(int verbose);
