/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <omp.h> for compilers that were installed without one, as Debian's clang without libomp-dev is:
 * ompcc has this folder searched after the compiler's own. Values and types are LLVM's; the
 * functions are those of OpenMP 5.1, chapter 3, that the runtime has.
 */
#ifndef FURLONG_OMP_H
#define FURLONG_OMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define FURLONG_OMP_DEFAULT(value) = value
#define FURLONG_OMP_HANDLE : uintptr_t
#else
#define FURLONG_OMP_DEFAULT(value)
#define FURLONG_OMP_HANDLE
#endif

/* A lock is where the address of the runtime's own is kept. */
typedef struct omp_lock_t {
    void *hidden;
} omp_lock_t;
typedef struct omp_nest_lock_t {
    void *hidden;
} omp_nest_lock_t;
typedef void *omp_depend_t;
typedef uintptr_t omp_uintptr_t;
typedef void *omp_interop_t;

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000
} omp_sched_t;

typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = omp_proc_bind_primary,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = omp_sync_hint_none,
    omp_sync_hint_uncontended = 1,
    omp_lock_hint_uncontended = omp_sync_hint_uncontended,
    omp_sync_hint_contended = 2,
    omp_lock_hint_contended = omp_sync_hint_contended,
    omp_sync_hint_nonspeculative = 4,
    omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_speculative = omp_sync_hint_speculative
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

typedef enum omp_pause_resource_t {
    omp_pause_soft = 1,
    omp_pause_hard = 2
} omp_pause_resource_t;

typedef enum omp_event_handle_t FURLONG_OMP_HANDLE {
    furlong_omp_event_widest = UINTPTR_MAX
} omp_event_handle_t;

typedef enum omp_memspace_handle_t FURLONG_OMP_HANDLE {
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    furlong_omp_memspace_widest = UINTPTR_MAX
} omp_memspace_handle_t;

typedef enum omp_allocator_handle_t FURLONG_OMP_HANDLE {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    furlong_omp_allocator_widest = UINTPTR_MAX
} omp_allocator_handle_t;

typedef enum omp_alloctrait_key_t {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2,
    omp_atk_access = 3,
    omp_atk_pool_size = 4,
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6,
    omp_atk_pinned = 7,
    omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_uncontended = 4,
    omp_atv_serialized = 5,
    omp_atv_sequential = omp_atv_serialized,
    omp_atv_private = 6,
    omp_atv_all = 7,
    omp_atv_thread = 8,
    omp_atv_pteam = 9,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_null_fb = 12,
    omp_atv_abort_fb = 13,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_nearest = 16,
    omp_atv_blocked = 17,
    omp_atv_interleaved = 18
} omp_alloctrait_value_t;
#define omp_atv_default ((omp_uintptr_t)-1)

typedef struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    omp_uintptr_t value;
} omp_alloctrait_t;

/* ---- threads and teams ---- */

void omp_set_num_threads(int n);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int is_dynamic);
int omp_get_dynamic(void);
int omp_get_cancellation(void);
void omp_set_nested(int is_nested);
int omp_get_nested(void);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_get_schedule(omp_sched_t *kind, int *chunk);
int omp_get_thread_limit(void);
int omp_get_supported_active_levels(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
int omp_get_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_get_active_level(void);
int omp_get_num_teams(void);
int omp_get_team_num(void);
void omp_set_num_teams(int n);
int omp_get_max_teams(void);
void omp_set_teams_thread_limit(int n);
int omp_get_teams_thread_limit(void);
int omp_in_final(void);
int omp_in_explicit_task(void);
int omp_get_max_task_priority(void);
void omp_fulfill_event(omp_event_handle_t event);

/* ---- places ---- */

omp_proc_bind_t omp_get_proc_bind(void);
int omp_get_num_places(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);
int omp_get_place_num(void);
int omp_get_partition_num_places(void);
void omp_get_partition_place_nums(int *places);
void omp_set_affinity_format(const char *format);
size_t omp_get_affinity_format(char *buffer, size_t size);
void omp_display_affinity(const char *format);
size_t omp_capture_affinity(char *buffer, size_t size, const char *format);
void omp_display_env(int is_verbose);

/* ---- locks ---- */

void omp_init_lock(omp_lock_t *lock);
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

/* ---- time ---- */

double omp_get_wtime(void);
double omp_get_wtick(void);

/* ---- devices: the host is the only one ---- */

void omp_set_default_device(int device);
int omp_get_default_device(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
void *omp_target_alloc(size_t bytes, int device);
void omp_target_free(void *address, int device);
int omp_target_is_present(const void *address, int device);
int omp_target_is_accessible(const void *address, size_t bytes, int device);
int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                      size_t from_offset, int to_device, int from_device);
int omp_target_memcpy_rect(void *to, const void *from, size_t element, int n_dimensions,
                           const size_t *volume, const size_t *to_offsets,
                           const size_t *from_offsets, const size_t *to_dimensions,
                           const size_t *from_dimensions, int to_device, int from_device);
int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset,
                            size_t from_offset, int to_device, int from_device, int n_depends,
                            omp_depend_t *depends);
int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int n_dimensions,
                                 const size_t *volume, const size_t *to_offsets,
                                 const size_t *from_offsets, const size_t *to_dimensions,
                                 const size_t *from_dimensions, int to_device, int from_device,
                                 int n_depends, omp_depend_t *depends);
int omp_target_associate_ptr(const void *host, const void *device_address, size_t bytes,
                             size_t offset, int device);
int omp_target_disassociate_ptr(const void *address, int device);
void *omp_get_mapped_ptr(const void *address, int device);
int omp_pause_resource(omp_pause_resource_t kind, int device);
int omp_pause_resource_all(omp_pause_resource_t kind);

/* ---- memory ---- */

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int n_traits,
                                          const omp_alloctrait_t traits[]);
void omp_destroy_allocator(omp_allocator_handle_t allocator);
void omp_set_default_allocator(omp_allocator_handle_t allocator);
omp_allocator_handle_t omp_get_default_allocator(void);
void *omp_alloc(size_t bytes, omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator));
void *omp_aligned_alloc(size_t alignment, size_t bytes,
                        omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator));
void *omp_calloc(size_t n, size_t bytes,
                 omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator));
void *omp_aligned_calloc(size_t alignment, size_t n, size_t bytes,
                         omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator));
void *omp_realloc(void *address, size_t bytes,
                  omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator),
                  omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator));
void omp_free(void *address, omp_allocator_handle_t FURLONG_OMP_DEFAULT(omp_null_allocator));

int omp_control_tool(int command, int modifier, void *argument);

#undef FURLONG_OMP_DEFAULT
#undef FURLONG_OMP_HANDLE
#ifdef __cplusplus
}
#endif

#endif
