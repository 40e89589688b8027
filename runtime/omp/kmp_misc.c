/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rest of what clang's programs may call: allocators, errors, locks by their inner names, and the
 * routines that LLVM's <omp.h> has beyond OpenMP's. Those that tune LLVM's own library are hints here.
 */
#include "omp/kmp.h"
#include "omp/program.h"
#include "omp/spans.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- allocators ---- */

void *omp_aligned_alloc(size_t alignment, size_t bytes, uintptr_t allocator);
void *omp_calloc(size_t n, size_t bytes, uintptr_t allocator);
void *omp_realloc(void *address, size_t bytes, uintptr_t allocator, uintptr_t free_allocator);
void omp_free(void *address, uintptr_t allocator);
uintptr_t omp_init_allocator(uintptr_t space, int n, const void *traits);
void omp_destroy_allocator(uintptr_t allocator);
void omp_set_default_allocator(uintptr_t allocator);
uintptr_t omp_get_default_allocator(void);

#define FL_KMP_THREAD __attribute__((unused)) int32_t thread

FL_OMP_API void *__kmpc_alloc(FL_KMP_THREAD, size_t bytes, uintptr_t allocator) {
    return GOMP_alloc(1, bytes, allocator);
}

FL_OMP_API void *__kmpc_aligned_alloc(FL_KMP_THREAD, size_t alignment, size_t bytes,
                                      uintptr_t allocator) {
    return GOMP_alloc(alignment, bytes, allocator);
}

FL_OMP_API void *__kmpc_calloc(FL_KMP_THREAD, size_t n, size_t bytes, uintptr_t allocator) {
    return omp_calloc(n, bytes, allocator);
}

FL_OMP_API void *__kmpc_realloc(FL_KMP_THREAD, void *address, size_t bytes, uintptr_t allocator,
                                uintptr_t free_allocator) {
    return omp_realloc(address, bytes, allocator, free_allocator);
}

FL_OMP_API void __kmpc_free(FL_KMP_THREAD, void *address, uintptr_t allocator) {
    omp_free(address, allocator);
}

FL_OMP_API uintptr_t __kmpc_init_allocator(FL_KMP_THREAD, uintptr_t space, int n,
                                           const void *traits) {
    return omp_init_allocator(space, n, traits);
}

FL_OMP_API void __kmpc_destroy_allocator(FL_KMP_THREAD, uintptr_t allocator) {
    omp_destroy_allocator(allocator);
}

FL_OMP_API void __kmpc_set_default_allocator(FL_KMP_THREAD, uintptr_t allocator) {
    omp_set_default_allocator(allocator);
}

FL_OMP_API uintptr_t __kmpc_get_default_allocator(FL_KMP_THREAD) {
    return omp_get_default_allocator();
}

/* ---- the program's error directive ---- */

enum { WARNING = 1 };

FL_OMP_API void __kmpc_error(const void *place, int32_t severity, const char *message) {
    (void)place;
    (severity == WARNING ? GOMP_warning : GOMP_error)(message, SIZE_MAX);
}

/* ---- devices: none ---- */

FL_OMP_API int __kmpc_get_target_offload(void) {
    static const int numbers[] = {[FL_OMP_OFFLOAD_DISABLED] = 0,
                                  [FL_OMP_OFFLOAD_DEFAULT] = 1,
                                  [FL_OMP_OFFLOAD_MANDATORY] = 2};
    return numbers[fl_omp_program.offload];
}

int omp_pause_resource(int kind, int device);

FL_OMP_API int __kmpc_pause_resource(int kind) {
    return omp_pause_resource(kind, 0);
}

/* ---- locks ---- */

#define LOCK(result, name)                                                                         \
    result omp_##name(void *lock);                                                                 \
    FL_OMP_API result __kmpc_##name(FL_KMP_CALLER, void *lock) {                                   \
        return omp_##name(lock);                                                                   \
    }
LOCK(void, init_lock)
LOCK(void, destroy_lock)
LOCK(void, set_lock)
LOCK(void, unset_lock)
LOCK(int, test_lock)
LOCK(void, init_nest_lock)
LOCK(void, destroy_nest_lock)
LOCK(void, set_nest_lock)
LOCK(void, unset_nest_lock)
LOCK(int, test_nest_lock)

FL_OMP_API void __kmpc_init_lock_with_hint(FL_KMP_CALLER, void *lock, uintptr_t hint) {
    (void)hint;
    omp_init_lock(lock);
}

FL_OMP_API void __kmpc_init_nest_lock_with_hint(FL_KMP_CALLER, void *lock, uintptr_t hint) {
    (void)hint;
    omp_init_nest_lock(lock);
}

/* ---- threadprivate, where the compiler has no native way: -fno-openmp-use-tls ---- */

/* A thread's copy of a variable. */
struct copy {
    struct copy *next;
    const void *variable;
    void *(*destroy)(void *copy);
    _Alignas(max_align_t) char bytes[];
};

/* How copies of a variable begin. */
struct registered {
    struct registered *next;
    const void *variable;
    void *(*construct)(void *copy);
    void *(*destroy)(void *copy);
};

static _Thread_local struct copy *copies;
static _Atomic(struct registered *) all_registered;
static pthread_key_t leaving;
static pthread_once_t leaving_once = PTHREAD_ONCE_INIT;

FL_OMP_API void __kmpc_threadprivate_register(const void *place, const void *variable,
                                              void *(*construct)(void *),
                                              void *(*copy)(void *, void *),
                                              void *(*destroy)(void *)) {
    (void)place;
    (void)copy;
    struct registered *own = malloc(sizeof *own);
    if (own) {
        *own = (struct registered){NULL, variable, construct, destroy};
        own->next = atomic_load_explicit(&all_registered, memory_order_relaxed); /* as below */
        /* [V1] pairs [V2]: the entry is seen whole. */
        while (!atomic_compare_exchange_weak_explicit(&all_registered, &own->next, own,
                                                      memory_order_release, memory_order_relaxed)) {
        }
    }
}

static void leave(void *list) {
    for (struct copy *copy = list; copy;) {
        struct copy *next = copy->next;
        if (copy->destroy) {
            copy->destroy(copy->bytes);
        }
        free(copy);
        copy = next;
    }
}

static void prepare_leaving(void) {
    pthread_key_create(&leaving, leave);
}

static FL_COLD void *add_copy(const void *variable, size_t bytes) {
    struct copy *own = fl_omp_program_memory(fl_round_up(sizeof *own + bytes, 16), 16);
    if (!own) {
        GOMP_error("no memory for a threadprivate variable", SIZE_MAX);
    }
    *own = (struct copy){copies, variable, NULL};
    memcpy(own->bytes, variable, bytes);
    const struct registered *at = atomic_load_explicit(&all_registered, memory_order_acquire); /* [V2] pairs [V1] */
    for (; at; at = at->next) {
        if (at->variable == variable) {
            own->destroy = at->destroy;
            if (at->construct) {
                at->construct(own->bytes);
            }
            break;
        }
    }
    copies = own;
    pthread_once(&leaving_once, prepare_leaving);
    pthread_setspecific(leaving, own);
    return own->bytes;
}

/* The first thread has the variable itself. */
FL_OMP_API void *__kmpc_threadprivate(FL_KMP_CALLER, void *variable, size_t bytes) {
    if (fl_omp_self()->number == 0 && fl_omp_me->team->level <= 1) {
        return variable;
    }
    for (struct copy *copy = copies; copy; copy = copy->next) {
        if (copy->variable == variable) {
            return copy->bytes;
        }
    }
    return add_copy(variable, bytes);
}

FL_OMP_API void *__kmpc_threadprivate_cached(FL_KMP_CALLER, void *variable, size_t bytes,
                                             void ***cache) {
    (void)cache;
    return __kmpc_threadprivate(place, thread, variable, bytes);
}

/* ---- routines beyond OpenMP's ---- */

FL_OMP_API void *kmp_malloc(size_t bytes) {
    return fl_omp_program_memory(bytes ? bytes : 1, 16);
}

FL_OMP_API void *kmp_aligned_malloc(size_t bytes, size_t alignment) {
    bool good = alignment > 0 && (alignment & (alignment - 1)) == 0;
    return good ? fl_omp_program_memory(bytes ? bytes : 1, alignment) : NULL;
}

FL_OMP_API void *kmp_calloc(size_t n, size_t bytes) {
    size_t all;
    void *block = __builtin_mul_overflow(n, bytes, &all) ? NULL : kmp_malloc(all);
    return block ? memset(block, 0, all) : NULL;
}

FL_OMP_API void *kmp_realloc(void *block, size_t bytes) {
    return realloc(block, bytes);
}

FL_OMP_API void kmp_free(void *block) {
    free(block);
}

FL_OMP_API size_t kmp_get_stacksize_s(void) {
    enum { SYSTEMS = 8 << 20 };
    return fl_omp_program.stack ? (size_t)fl_omp_program.stack : SYSTEMS;
}

FL_OMP_API int kmp_get_stacksize(void) {
    size_t bytes = kmp_get_stacksize_s();
    return bytes > INT32_MAX ? INT32_MAX : (int)bytes;
}

/* Sets the stack size of threads that are started from now on. */
FL_OMP_API void kmp_set_stacksize_s(size_t bytes) {
    fl_omp_program.stack = bytes;
}

FL_OMP_API void kmp_set_stacksize(int bytes) {
    kmp_set_stacksize_s(bytes > 0 ? (size_t)bytes : 0);
}

/* This runtime chooses how long threads spin before they sleep; the program's number is only
 * kept. */
static _Thread_local int blocktime = -1;

FL_OMP_API int kmp_get_blocktime(void) {
    enum { MILLISECONDS = 200 };
    if (blocktime >= 0) {
        return blocktime;
    }
    switch (fl_omp_program.waiting) {
    case FL_OMP_WAIT_ACTIVE:
        return INT32_MAX;
    case FL_OMP_WAIT_PASSIVE:
        return 0;
    default:
        return MILLISECONDS;
    }
}

FL_OMP_API void kmp_set_blocktime(int milliseconds) {
    blocktime = milliseconds > 0 ? milliseconds : 0;
}

enum { LIBRARY_THROUGHPUT = 3 };

FL_OMP_API int kmp_get_library(void) {
    return LIBRARY_THROUGHPUT;
}

#define HINT(name, parameters) FL_OMP_API void name parameters
HINT(kmp_set_library, (__attribute__((unused)) int kind)) {
}
HINT(kmp_set_library_serial, (void)) {
}
HINT(kmp_set_library_turnaround, (void)) {
}
HINT(kmp_set_library_throughput, (void)) {
}
HINT(kmp_set_defaults, (__attribute__((unused)) const char *text)) {
}
HINT(kmp_set_disp_num_buffers, (__attribute__((unused)) int n)) {
}
HINT(kmp_set_warnings_on, (void)) {
}
HINT(kmp_set_warnings_off, (void)) {
}

/* Tools: none. */
FL_OMP_API int omp_control_tool(int command, int modifier, void *argument) {
    enum { NO_TOOL = -2 };
    (void)command;
    (void)modifier;
    (void)argument;
    return NO_TOOL;
}
