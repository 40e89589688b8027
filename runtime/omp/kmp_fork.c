/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions as clang compiles them: parallel, teams. OpenMP 5.1 §2.6, §2.7. */
#include "omp/kmp.h"
#include "omp/program.h"
#include "platform/machine.h"

#include <alloca.h>
#include <stdarg.h>

/* What clauses have said of the next region that the thread begins. */
static _Thread_local struct {
    unsigned threads, bind;
    unsigned least_teams, most_teams, thread_limit;
} clauses;

static void execute(void *data) {
    int32_t thread = (int32_t)fl_omp_me->number, bound = thread;
    fl_os_call(&thread, &bound, data);
}

static void read_arguments(struct fl_os_call *call, va_list arguments) {
    for (size_t i = 0; i < call->n; i++) {
        call->arguments[i] = va_arg(arguments, void *);
    }
}

/* Declares a call of `called` with the variable arguments of the function that uses this. */
#define CALL(call, called, count)                                                                  \
    size_t slots = (count) < FL_OS_CALL_LEAST ? FL_OS_CALL_LEAST : (size_t)(count);                \
    struct fl_os_call *call = alloca(sizeof(struct fl_os_call) + slots * sizeof(void *));          \
    va_list arguments;                                                                             \
    call->function = (called);                                                                     \
    call->n = (size_t)(count);                                                                     \
    va_start(arguments, called);                                                                   \
    read_arguments(call, arguments);                                                               \
    va_end(arguments)

/* ---- parallel ---- */

static struct fl_omp_region region_of(struct fl_os_call *call) {
    struct fl_omp_region region = {execute, call, clauses.threads, clauses.bind, NULL, false,
                                   (const void *)call->function};
    clauses.threads = clauses.bind = 0;
    return region;
}

FL_OMP_API void __kmpc_fork_call(const void *place, int32_t n, fl_kmp_body *body, ...) {
    (void)place;
    CALL(call, body, n);
    struct fl_omp_region region = region_of(call);
    fl_omp_region(&region);
}

FL_OMP_API void __kmpc_fork_call_if(const void *place, int32_t n, fl_kmp_body *body,
                                    int32_t condition, void *argument) {
    (void)place;
    struct fl_os_call *call = alloca(sizeof *call + FL_OS_CALL_LEAST * sizeof(void *));
    *call = (struct fl_os_call){.function = body, .n = (size_t)n};
    call->arguments[0] = argument;
    struct fl_omp_region region = region_of(call);
    region.threads = condition ? region.threads : 1;
    fl_omp_region(&region);
}

/* A region that the `if` clause makes one of one thread. The caller executes its body. */
FL_OMP_API void __kmpc_serialized_parallel(FL_KMP_CALLER) {
    clauses.threads = clauses.bind = 0;
    fl_omp_region_begin(&(struct fl_omp_region){.threads = 1, .here = true});
}

FL_OMP_API void __kmpc_end_serialized_parallel(FL_KMP_CALLER) {
    fl_omp_region_end();
}

FL_OMP_API void __kmpc_push_num_threads(FL_KMP_CALLER, int32_t n) {
    clauses.threads = n > 0 ? (unsigned)n : 1;
}

FL_OMP_API void __kmpc_push_num_threads_strict(FL_KMP_CALLER, int32_t n, int severity,
                                               const char *message) {
    (void)severity;
    (void)message;
    clauses.threads = n > 0 ? (unsigned)n : 1;
}

FL_OMP_API void __kmpc_pop_num_threads(FL_KMP_CALLER) {
}

FL_OMP_API void __kmpc_push_proc_bind(FL_KMP_CALLER, int32_t bind) {
    clauses.bind = (unsigned)bind;
}

/* ---- teams ---- */

FL_OMP_API void __kmpc_push_num_teams(FL_KMP_CALLER, int32_t teams, int32_t threads) {
    clauses.least_teams = clauses.most_teams = teams > 0 ? (unsigned)teams : 0;
    clauses.thread_limit = threads > 0 ? (unsigned)threads : 0;
}

FL_OMP_API void __kmpc_push_num_teams_51(FL_KMP_CALLER, int32_t least, int32_t most,
                                         int32_t threads) {
    __kmpc_push_num_teams(place, thread, most, threads);
    clauses.least_teams = least > 0 ? (unsigned)least : clauses.most_teams;
}

FL_OMP_API void __kmpc_set_thread_limit(FL_KMP_CALLER, int32_t limit) {
    if (limit > 0) {
        fl_omp_self()->task->icvs.thread_limit = (uint32_t)limit;
    }
}

FL_OMP_API void __kmpc_fork_teams(const void *place, int32_t n, fl_kmp_body *body, ...) {
    (void)place;
    CALL(call, body, n);
    unsigned least = clauses.least_teams, most = clauses.most_teams, limit = clauses.thread_limit;
    clauses.least_teams = clauses.most_teams = clauses.thread_limit = 0;
    fl_omp_league(execute, call, least, most, limit);
}

/* ---- numbers of threads ---- */

FL_OMP_API int32_t __kmpc_global_thread_num(const void *place) {
    (void)place;
    return (int32_t)fl_omp_me->number;
}

FL_OMP_API int32_t __kmpc_global_num_threads(const void *place) {
    (void)place;
    return (int32_t)fl_omp_me->size;
}

FL_OMP_ALIAS(int32_t, __kmpc_bound_thread_num, (const void *), __kmpc_global_thread_num);
FL_OMP_ALIAS(int32_t, __kmpc_bound_num_threads, (const void *), __kmpc_global_num_threads);

FL_OMP_API int32_t __kmpc_in_parallel(const void *place) {
    (void)place;
    return fl_omp_self()->team->active_level > 0;
}

FL_OMP_API int32_t __kmpc_ok_to_fork(const void *place) {
    (void)place;
    return 1;
}

FL_OMP_API void __kmpc_begin(const void *place, int32_t flags) {
    (void)place;
    (void)flags;
}

FL_OMP_API void __kmpc_end(const void *place) {
    (void)place;
}
