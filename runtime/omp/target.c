/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leagues of teams, and target regions: there are no devices, so that all of it happens on the host,
 * one team of a league after the other, with the program's own data. OpenMP 5.1 §2.7, §2.14, §3.8.
 */
#include "core/fatal.h"
#include "omp/program.h"
#include "omp/spans.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void GOMP_taskwait_depend(void **depend);
int omp_get_default_device(void);

/* ---- leagues ---- */

static unsigned league_size(unsigned least, unsigned most) {
    unsigned wanted = fl_omp_program.teams ? fl_omp_program.teams : 1;
    wanted = most && wanted > most ? most : wanted;
    return wanted < least ? least : wanted;
}

static void enter_team(struct fl_omp_icvs *icvs, unsigned team, unsigned teams, unsigned limit) {
    icvs->team = team;
    icvs->teams = teams;
    limit = limit ? limit : fl_omp_program.teams_thread_limit;
    if (limit && limit < icvs->thread_limit) {
        icvs->thread_limit = limit;
    }
}

void fl_omp_league(void (*body)(void *), void *data, unsigned least, unsigned most,
                   unsigned limit) {
    struct fl_omp_task *task = fl_omp_self()->task;
    struct fl_omp_icvs before = task->icvs;
    unsigned n = league_size(least, most);
    for (unsigned i = 0; i < n; i++) {
        task->icvs = before;
        enter_team(&task->icvs, i, n, limit);
        body(data);
    }
    task->icvs = before;
}

FL_OMP_API void GOMP_teams_reg(void (*body)(void *), void *data, unsigned teams, unsigned limit,
                               unsigned flags) {
    (void)flags;
    fl_omp_league(body, data, teams, teams, limit);
}

/* In a target region: begins its first team, or the next. False: there is none. */
FL_OMP_API bool GOMP_teams4(unsigned least, unsigned most, unsigned limit, bool first) {
    struct fl_omp_icvs *icvs = &fl_omp_self()->task->icvs;
    unsigned n = first ? league_size(least ? least : most, most) : icvs->teams;
    unsigned team = first ? 0 : icvs->team + 1;
    if (team == n) {
        return false;
    }
    enter_team(icvs, team, n, limit);
    return true;
}

/* Up to gcc 11, which made one team of it. */
FL_OMP_API void GOMP_teams(unsigned teams, unsigned limit) {
    (void)teams;
    enter_team(&fl_omp_self()->task->icvs, 0, 1, limit);
}

/* ---- target ---- */

/* Device numbers that gcc passes where the program gives none. */
enum { DEVICE_DEFAULT = -1, DEVICE_HOST = -2 };

/* The host is the device with the number 0: a program that names it gets what it asks for. */
static void need_host(int device) {
    device = device == DEVICE_DEFAULT ? omp_get_default_device() : device;
    if (fl_omp_program.offload == FL_OMP_OFFLOAD_MANDATORY && device != 0 && device != DEVICE_HOST) {
        fl_fatal(FL_CODE_OMP_LIMIT, "OMP_TARGET_OFFLOAD is mandatory, but there is no device");
    }
}

/* Data of a target region, which is on the host: only firstprivate data are copied. The kind of
 * each is the low byte, the logarithm of its alignment the high one. */
enum { KIND_MASK = 0xff, KIND_FIRSTPRIVATE = 12, ALIGN_SHIFT = 8 };

static size_t place_of(size_t at, unsigned short kind) {
    return (size_t)fl_round_up(at, 1ull << (kind >> ALIGN_SHIFT));
}

/* Bytes of all copies. With `to`, makes the copies, and stores their addresses in `data`. */
static size_t copy_private(size_t n, void **data, const size_t *sizes, const unsigned short *kinds,
                           char *to) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_absent = !data[i]; /* an optional argument in Fortran */
        if ((kinds[i] & KIND_MASK) == KIND_FIRSTPRIVATE && !is_absent) {
            at = place_of(at, kinds[i]);
            if (to) {
                data[i] = memcpy(to + at, data[i], sizes[i]);
            }
            at += sizes[i];
        }
    }
    return at;
}

struct target {
    void (*body)(void *data);
    void *data;
    uint32_t thread_limit; /* 0: none */
};

static void execute_limited(void *context) {
    struct target *target = context;
    if (target->thread_limit) {
        fl_omp_self()->task->icvs.thread_limit = target->thread_limit;
    }
    target->body(target->data);
}

/* The region is an initial task of its own, with no region around; control variables that it sets
 * end with it. Outside of all regions it is enough to exchange the control variables: the thread
 * keeps its team, whose regions may be on all hosts. */
static void execute(int device, struct target *target) {
    struct fl_omp_member *me = fl_omp_self();
    need_host(device);
    if (me->team->level > 0) {
        fl_omp_apart(execute_limited, target);
        return;
    }
    struct fl_omp_icvs before = me->task->icvs;
    me->task->icvs = fl_omp_program.icvs;
    execute_limited(target);
    me->task->icvs = before;
}

/* The compiler's further arguments of the region: words, some of which have a second word with the
 * value. */
enum {
    ARGUMENT_DEVICE = 0x7f, /* 0: any */
    ARGUMENT_HAS_VALUE = 0x80,
    ARGUMENT_NAME = 0xff00,
    ARGUMENT_THREAD_LIMIT = 0x200,
    ARGUMENT_SHIFT = 16
};

static uint32_t thread_limit_of(void *const *arguments) {
    while (arguments && *arguments) {
        uintptr_t word = (uintptr_t)*arguments++;
        uintptr_t value = word & ARGUMENT_HAS_VALUE ? (uintptr_t)*arguments++ : word >> ARGUMENT_SHIFT;
        if (!(word & ARGUMENT_DEVICE) && (word & ARGUMENT_NAME) == ARGUMENT_THREAD_LIMIT) {
            return value < FL_OMP_NO_LIMIT ? (uint32_t)value : FL_OMP_NO_LIMIT;
        }
    }
    return 0;
}

FL_OMP_API void GOMP_target_ext(int device, void (*body)(void *), size_t n, void **data,
                                size_t *sizes, unsigned short *kinds, unsigned flags, void **depend,
                                void **arguments) {
    (void)flags;
    if (depend) {
        GOMP_taskwait_depend(depend);
    }
    enum { MOST_ALIGN = 64 };
    size_t bytes = copy_private(n, data, sizes, kinds, NULL);
    char *copies = bytes ? fl_omp_program_memory(bytes, MOST_ALIGN) : NULL;
    if (bytes && !copies) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for %zu bytes of a target region", bytes);
    }
    if (copies) {
        copy_private(n, data, sizes, kinds, copies);
    }
    struct target target = {body, data, thread_limit_of(arguments)};
    execute(device, &target);
    free(copies);
}

/* Up to gcc 5. */
FL_OMP_API void GOMP_target(int device, void (*body)(void *), const void *unused, size_t n,
                            void **data, size_t *sizes, unsigned char *kinds) {
    (void)unused;
    (void)n;
    (void)sizes;
    (void)kinds;
    struct target target = {body, data, 0};
    execute(device, &target);
}

/* Data stay where they are. */
FL_OMP_API void GOMP_target_data_ext(int device, size_t n, void **data, size_t *sizes,
                                     unsigned short *kinds) {
    (void)n;
    (void)data;
    (void)sizes;
    (void)kinds;
    need_host(device);
}

FL_OMP_API void GOMP_target_data(int device, const void *unused, size_t n, void **data,
                                 size_t *sizes, unsigned char *kinds) {
    (void)unused;
    (void)kinds;
    GOMP_target_data_ext(device, n, data, sizes, NULL);
}

FL_OMP_API void GOMP_target_end_data(void) {
}

FL_OMP_API void GOMP_target_update_ext(int device, size_t n, void **data, size_t *sizes,
                                       unsigned short *kinds, unsigned flags, void **depend) {
    (void)flags;
    if (depend) {
        GOMP_taskwait_depend(depend);
    }
    GOMP_target_data_ext(device, n, data, sizes, kinds);
}

FL_OMP_ALIAS(void, GOMP_target_enter_exit_data,
             (int, size_t, void **, size_t *, unsigned short *, unsigned, void **),
             GOMP_target_update_ext);
FL_OMP_ALIAS(void, GOMP_target_update,
             (int, const void *, size_t, void **, size_t *, unsigned char *), GOMP_target_data);

/* Code for devices: there are none. */
FL_OMP_API void GOMP_offload_register_ver(unsigned version, const void *host, int type,
                                          const void *data) {
    (void)version;
    (void)host;
    (void)type;
    (void)data;
}

FL_OMP_API void GOMP_offload_register(const void *host, int type, const void *data) {
    GOMP_offload_register_ver(0, host, type, data);
}

FL_OMP_ALIAS(void, GOMP_offload_unregister_ver, (unsigned, const void *, int, const void *),
             GOMP_offload_register_ver);
FL_OMP_ALIAS(void, GOMP_offload_unregister, (const void *, int, const void *),
             GOMP_offload_register);

/* Maps the address of a function that a target region calls indirectly. */
FL_OMP_API void *GOMP_target_map_indirect_ptr(void *function) {
    return function;
}

/* ---- device memory: the host's ---- */

/* The host is device 0, and omp_initial_device. */
static bool is_host(int device) {
    return device == 0 || device == -1;
}

FL_OMP_API void *omp_target_alloc(size_t bytes, int device) {
    return is_host(device) ? fl_omp_program_memory(bytes, FL_CACHE_LINE) : NULL;
}

FL_OMP_API void omp_target_free(void *address, int device) {
    if (is_host(device)) {
        free(address);
    }
}

FL_OMP_API int omp_target_is_present(const void *address, int device) {
    return address && is_host(device);
}

FL_OMP_API int omp_target_is_accessible(const void *address, size_t bytes, int device) {
    (void)address;
    (void)bytes;
    return is_host(device);
}

FL_OMP_API void *omp_get_mapped_ptr(const void *address, int device) {
    return is_host(device) ? (void *)address : NULL;
}

FL_OMP_API int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                                 size_t from_offset, int to_device, int from_device) {
    if (!is_host(to_device) || !is_host(from_device)) {
        return EINVAL;
    }
    memmove((char *)to + to_offset, (const char *)from + from_offset, bytes);
    return 0;
}

static void copy_box(char *to, const char *from, size_t element, int dims, const size_t *volume,
                     const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dims,
                     const size_t *from_dims) {
    if (dims == 1) {
        memmove(to + to_offsets[0] * element, from + from_offsets[0] * element, volume[0] * element);
        return;
    }
    size_t to_row = element, from_row = element;
    for (int i = 1; i < dims; i++) {
        to_row *= to_dims[i];
        from_row *= from_dims[i];
    }
    for (size_t i = 0; i < volume[0]; i++) {
        copy_box(to + (to_offsets[0] + i) * to_row, from + (from_offsets[0] + i) * from_row, element,
                 dims - 1, volume + 1, to_offsets + 1, from_offsets + 1, to_dims + 1, from_dims + 1);
    }
}

/* Without addresses: how many dimensions there may be. */
FL_OMP_API int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dims,
                                      const size_t *volume, const size_t *to_offsets,
                                      const size_t *from_offsets, const size_t *to_dims,
                                      const size_t *from_dims, int to_device, int from_device) {
    if (!to && !from) {
        return INT32_MAX;
    }
    if (!is_host(to_device) || !is_host(from_device) || dims < 1) {
        return EINVAL;
    }
    copy_box(to, from, element, dims, volume, to_offsets, from_offsets, to_dims, from_dims);
    return 0;
}

/* omp_depend_t. */
struct dependence {
    void *words[2];
};

/* Waits until the dependences are satisfied. The copy need not be a task of its own: the caller
 * makes it, so no task that depends on it can begin before. */
static void await(int n, struct dependence *list) {
    enum { HEAD = 5 }; /* 0, how many, and of these none by address: see depend.h */
    if (n <= 0) {
        return;
    }
    void **depend = FL_ALLOCATED(malloc((HEAD + (size_t)n) * sizeof(void *)), "%d dependences", n);
    memset(depend, 0, HEAD * sizeof(void *));
    depend[1] = (void *)(uintptr_t)n;
    for (int i = 0; i < n; i++) {
        depend[HEAD + i] = &list[i];
    }
    GOMP_taskwait_depend(depend);
    free(depend);
}

FL_OMP_API int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset,
                                       size_t from_offset, int to_device, int from_device,
                                       int n_dependences, struct dependence *dependences) {
    await(n_dependences, dependences);
    return omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}

FL_OMP_API int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dims,
                                            const size_t *volume, const size_t *to_offsets,
                                            const size_t *from_offsets, const size_t *to_dims,
                                            const size_t *from_dims, int to_device,
                                            int from_device, int n_dependences,
                                            struct dependence *dependences) {
    await(n_dependences, dependences);
    return omp_target_memcpy_rect(to, from, element, dims, volume, to_offsets, from_offsets,
                                  to_dims, from_dims, to_device, from_device);
}

/* The host's memory is associated with itself, and nothing else. */
FL_OMP_API int omp_target_associate_ptr(const void *host, const void *device_address, size_t bytes,
                                        size_t offset, int device) {
    (void)host;
    (void)device_address;
    (void)bytes;
    (void)offset;
    (void)device;
    return EINVAL;
}

FL_OMP_API int omp_target_disassociate_ptr(const void *host, int device) {
    (void)host;
    (void)device;
    return EINVAL;
}
