/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions as clang compiles them: parallel, teams. OpenMP 5.1 §2.6, §2.7. */
#include "omp/kmp.h"
#include "omp/program.h"

#include <alloca.h>
#include <stdarg.h>

/* What clauses have said of the next region that the thread begins. */
static _Thread_local struct {
    unsigned threads, bind;
    unsigned least_teams, most_teams, thread_limit;
} clauses;

/* A body and the addresses that it is called with. Read by all members, on the stack of who began
 * the region: never fewer than four words. */
struct call {
    fl_kmp_body *body;
    size_t n;
    void *arguments[];
};

/* Calls body(thread, bound, arguments[0], ..., arguments[n - 1]). As no C function can pass on a
 * number of arguments that it learns only when it runs: four go into registers, the others, the last
 * one first, onto the stack. */
void fl_kmp_call(int32_t *thread, int32_t *bound, const struct call *call);
__asm__(".pushsection .text\n"
        ".globl fl_kmp_call\n"
        ".hidden fl_kmp_call\n"
        ".type fl_kmp_call, @function\n"
        "fl_kmp_call:\n"
        "    .cfi_startproc\n"
        "    push %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    mov (%rdx), %r11\n"
        "    mov 8(%rdx), %rcx\n"
        "    lea 16(%rdx), %r10\n"
        "    cmp $4, %rcx\n"
        "    jbe 2f\n"
        "    test $1, %cl\n"
        "    jz 1f\n"
        "    push $0\n" /* so that the stack is aligned at the call */
        "1:  push -8(%r10,%rcx,8)\n"
        "    dec %rcx\n"
        "    cmp $4, %rcx\n"
        "    ja 1b\n"
        "2:  mov (%r10), %rdx\n"
        "    mov 8(%r10), %rcx\n"
        "    mov 16(%r10), %r8\n"
        "    mov 24(%r10), %r9\n"
        "    xor %eax, %eax\n"
        "    call *%r11\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size fl_kmp_call, . - fl_kmp_call\n"
        ".popsection");

static void execute(void *data) {
    int32_t thread = (int32_t)fl_omp_me->number, bound = thread;
    fl_kmp_call(&thread, &bound, data);
}

static void read_arguments(struct call *call, va_list arguments) {
    for (size_t i = 0; i < call->n; i++) {
        call->arguments[i] = va_arg(arguments, void *);
    }
}

/* A call with the arguments after `n` of the function that it is in. */
#define CALL(call, called, count)                                                                  \
    size_t slots = (count) < 4 ? 4 : (size_t)(count);                                              \
    struct call *call = alloca(sizeof(struct call) + slots * sizeof(void *));                      \
    va_list arguments;                                                                             \
    call->body = (called);                                                                         \
    call->n = (size_t)(count);                                                                     \
    va_start(arguments, called);                                                                   \
    read_arguments(call, arguments);                                                               \
    va_end(arguments)

/* ---- parallel ---- */

static struct fl_omp_region region_of(struct call *call) {
    struct fl_omp_region region = {execute, call, clauses.threads, clauses.bind, NULL, false};
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
    struct call *call = alloca(sizeof *call + 4 * sizeof(void *));
    *call = (struct call){.body = body, .n = (size_t)n};
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

/* ---- who the thread is ---- */

FL_OMP_API int32_t __kmpc_global_thread_num(const void *place) {
    (void)place;
    return (int32_t)fl_omp_me->number;
}

FL_OMP_API int32_t __kmpc_bound_thread_num(const void *place) {
    (void)place;
    return (int32_t)fl_omp_me->number;
}

FL_OMP_API int32_t __kmpc_global_num_threads(const void *place) {
    (void)place;
    return (int32_t)fl_omp_me->size;
}

FL_OMP_API int32_t __kmpc_bound_num_threads(const void *place) {
    (void)place;
    return (int32_t)fl_omp_me->size;
}

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
