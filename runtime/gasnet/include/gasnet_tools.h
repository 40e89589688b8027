/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The toolbox of GASNet: annotations, time, fences, atomics, locks, thread data, the environment,
 * diagnosis, and the machine. A unit that uses gasnetex.h includes that first; another unit defines
 * GASNETT_THREAD_SAFE, GASNETT_THREAD_SINGLE or GASNETT_LITE_MODE (no atomics). Everything is
 * thread-safe in all modes, and nearly everything is inline.
 */
#ifndef GASNET_TOOLS_H
#define GASNET_TOOLS_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "gasnet_config.h"
#include "gasnet_portable_platform.h"
#include "gasnet_words.h"

#ifndef GASNETEX_H
#if defined(GASNETT_THREAD_SAFE) + defined(GASNETT_THREAD_SINGLE) + defined(GASNETT_LITE_MODE) == 0
#error "define GASNETT_THREAD_SAFE, GASNETT_THREAD_SINGLE or GASNETT_LITE_MODE, or include gasnetex.h"
#endif
#endif

/* ---- annotations ---- */

#define GASNETT_INLINE(function) static inline
#define GASNETT_NEVER_INLINE(function, declaration)                                                \
    __attribute__((__noinline__)) declaration
#define GASNETT_RESTRICT __restrict__
#define GASNETT_NORETURN __attribute__((__noreturn__))
#define GASNETT_NORETURNP(function)
#define GASNETT_MALLOC __attribute__((__malloc__))
#define GASNETT_MALLOCP(function)
#define GASNETT_PURE __attribute__((__pure__))
#define GASNETT_PUREP(function)
#define GASNETT_CONST __attribute__((__const__))
#define GASNETT_CONSTP(function)
#define GASNETT_HOT __attribute__((__hot__))
#define GASNETT_COLD __attribute__((__cold__))
#define GASNETT_USED __attribute__((__used__))
#define GASNETT_DEPRECATED __attribute__((__deprecated__))
#define GASNETT_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#define GASNETT_FALLTHROUGH __attribute__((__fallthrough__));
#define GASNETT_FORMAT_PRINTF(function, format, first, declaration)                                \
    __attribute__((__format__(__printf__, format, first))) declaration
#define GASNETT_PREDICT_TRUE(e) __builtin_expect(!!(e), 1)
#define GASNETT_PREDICT_FALSE(e) __builtin_expect(!!(e), 0)
#define GASNETT_USE_PRAGMAS 1
#define if_pf(e) if (GASNETT_PREDICT_FALSE(e))
#define if_pt(e) if (GASNETT_PREDICT_TRUE(e))
#define GASNETT_IDENT(name, text) static char const name[] __attribute__((__used__)) = text;
#ifdef __cplusplus
#define GASNETT_BEGIN_EXTERNC extern "C" {
#define GASNETT_END_EXTERNC }
#define GASNETT_EXTERNC extern "C"
#else
#define GASNETT_BEGIN_EXTERNC
#define GASNETT_END_EXTERNC
#define GASNETT_EXTERNC extern
#endif
#define GASNETT_UNUSED __attribute__((__unused__))
#define GASNETT_UNUSED_ARGS1(a) ((void)(a))
#define GASNETT_UNUSED_ARGS2(a, b) ((void)(a), GASNETT_UNUSED_ARGS1(b))
#define GASNETT_UNUSED_ARGS3(a, b, c) ((void)(a), GASNETT_UNUSED_ARGS2(b, c))
#define GASNETT_UNUSED_ARGS4(a, b, c, d) ((void)(a), GASNETT_UNUSED_ARGS3(b, c, d))
#define GASNETT_UNUSED_ARGS5(a, b, c, d, e) ((void)(a), GASNETT_UNUSED_ARGS4(b, c, d, e))
#define GASNETT_UNUSED_ARGS6(a, b, c, d, e, f) ((void)(a), GASNETT_UNUSED_ARGS5(b, c, d, e, f))
#define GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g)                                                  \
    ((void)(a), GASNETT_UNUSED_ARGS6(b, c, d, e, f, g))
#define GASNETT_UNUSED_ARGS8(a, b, c, d, e, f, g, h)                                               \
    ((void)(a), GASNETT_UNUSED_ARGS7(b, c, d, e, f, g, h))
#define GASNETT_CURRENT_FUNCTION __func__
#define gasnett_constant_p(e) __builtin_constant_p(e)
#define gasnett_assume(e) ((e) ? (void)0 : __builtin_unreachable())
#define gasnett_unreachable() __builtin_unreachable()
#define gasnett_current_loc ("" __FILE__ ":" _STRINGIFY(__LINE__))

GASNETT_BEGIN_EXTERNC
#pragma GCC visibility push(default)

/* ---- time: nanoseconds ---- */

typedef uint64_t gasnett_tick_t;
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX (~(gasnett_tick_t)0)
static inline gasnett_tick_t gasnett_ticks_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#define gasnett_ticks_to_ns(ticks) ((uint64_t)(ticks))
#define gasnett_ticks_to_us(ticks) ((uint64_t)(ticks) / 1000)
double gasnett_tick_granularityus(void);
double gasnett_tick_overheadus(void);
static inline uint64_t gasnett_gettimeofday_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000;
}
int gasnett_nsleep(uint64_t ns);

/* ---- fences ---- */

#define gasnett_compiler_fence() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define gasnett_local_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define gasnett_local_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define gasnett_local_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define gasnett_weak_wmb() gasnett_local_wmb()
#define gasnett_weak_rmb() gasnett_local_rmb()
#define gasnett_weak_mb() gasnett_local_mb()

/* ---- atomics: sequentially consistent, whatever the flags ---- */

#define GASNETT_ATOMIC_NONE 0
#define GASNETT_ATOMIC_RMB_PRE 0x01
#define GASNETT_ATOMIC_RMB_POST 0x02
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE 0x04
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE 0x08
#define GASNETT_ATOMIC_WMB_PRE 0x10
#define GASNETT_ATOMIC_WMB_POST 0x20
#define GASNETT_ATOMIC_MB_PRE (GASNETT_ATOMIC_WMB_PRE | GASNETT_ATOMIC_RMB_PRE)
#define GASNETT_ATOMIC_MB_POST (GASNETT_ATOMIC_WMB_POST | GASNETT_ATOMIC_RMB_POST)
#define GASNETT_ATOMIC_REL GASNETT_ATOMIC_WMB_PRE
#define GASNETT_ATOMIC_ACQ GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_ACQ_IF_TRUE GASNETT_ATOMIC_RMB_POST_IF_TRUE
#define GASNETT_ATOMIC_ACQ_IF_FALSE GASNETT_ATOMIC_RMB_POST_IF_FALSE

#ifndef GASNETT_LITE_MODE
/* Defines the type name##_t, an atomic `word`, and its functions. */
#define FL_GASNET_ATOMIC(name, word)                                                               \
    typedef struct {                                                                               \
        word value;                                                                                \
    } name##_t;                                                                                    \
    static inline word name##_read(name##_t const *p, int flags) {                                 \
        (void)flags;                                                                               \
        return __atomic_load_n(&p->value, __ATOMIC_SEQ_CST);                                       \
    }                                                                                              \
    static inline void name##_set(name##_t *p, word value, int flags) {                            \
        (void)flags;                                                                               \
        __atomic_store_n(&p->value, value, __ATOMIC_SEQ_CST);                                      \
    }                                                                                              \
    static inline void name##_increment(name##_t *p, int flags) {                                  \
        (void)flags;                                                                               \
        (void)__atomic_add_fetch(&p->value, 1, __ATOMIC_SEQ_CST);                                  \
    }                                                                                              \
    static inline void name##_decrement(name##_t *p, int flags) {                                  \
        (void)flags;                                                                               \
        (void)__atomic_sub_fetch(&p->value, 1, __ATOMIC_SEQ_CST);                                  \
    }                                                                                              \
    static inline int name##_decrement_and_test(name##_t *p, int flags) {                          \
        (void)flags;                                                                               \
        return __atomic_sub_fetch(&p->value, 1, __ATOMIC_SEQ_CST) == 0;                            \
    }                                                                                              \
    static inline word name##_add(name##_t *p, word value, int flags) {                            \
        (void)flags;                                                                               \
        return __atomic_add_fetch(&p->value, value, __ATOMIC_SEQ_CST);                             \
    }                                                                                              \
    static inline word name##_subtract(name##_t *p, word value, int flags) {                       \
        (void)flags;                                                                               \
        return __atomic_sub_fetch(&p->value, value, __ATOMIC_SEQ_CST);                             \
    }                                                                                              \
    static inline int name##_compare_and_swap(name##_t *p, word before, word after, int flags) {   \
        (void)flags;                                                                               \
        return __atomic_compare_exchange_n(&p->value, &before, after, 0, __ATOMIC_SEQ_CST,         \
                                           __ATOMIC_SEQ_CST);                                      \
    }                                                                                              \
    static inline word name##_swap(name##_t *p, word value, int flags) {                           \
        (void)flags;                                                                               \
        return __atomic_exchange_n(&p->value, value, __ATOMIC_SEQ_CST);                            \
    }
FL_GASNET_ATOMIC(gasnett_atomic, uint32_t)
FL_GASNET_ATOMIC(gasnett_atomic32, uint32_t)
FL_GASNET_ATOMIC(gasnett_atomic64, uint64_t)
FL_GASNET_ATOMIC(gasnett_strongatomic, uint32_t)
FL_GASNET_ATOMIC(gasnett_strongatomic32, uint32_t)
FL_GASNET_ATOMIC(gasnett_strongatomic64, uint64_t)
#undef FL_GASNET_ATOMIC
#define gasnett_atomic_init(value) {value}
#define gasnett_atomic32_init(value) {value}
#define gasnett_atomic64_init(value) {value}
#define gasnett_strongatomic_init(value) {value}
#define gasnett_strongatomic32_init(value) {value}
#define gasnett_strongatomic64_init(value) {value}
typedef uint32_t gasnett_atomic_val_t;
typedef int32_t gasnett_atomic_sval_t;
typedef uint32_t gasnett_strongatomic_val_t;
typedef int32_t gasnett_strongatomic_sval_t;
#define gasnett_atomic_signed(value) ((gasnett_atomic_sval_t)(value))
#define gasnett_strongatomic_signed(value) ((gasnett_strongatomic_sval_t)(value))
#define GASNETT_ATOMIC_MAX UINT32_MAX
#define GASNETT_ATOMIC_SIGNED_MIN INT32_MIN
#define GASNETT_ATOMIC_SIGNED_MAX INT32_MAX
#define GASNETT_STRONGATOMIC_MAX UINT32_MAX
#define GASNETT_STRONGATOMIC_SIGNED_MIN INT32_MIN
#define GASNETT_STRONGATOMIC_SIGNED_MAX INT32_MAX
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1
#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#endif

/* ---- locks ---- */

typedef pthread_mutex_t gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define gasnett_mutex_init(lock) ((void)pthread_mutex_init(lock, NULL))
#define gasnett_mutex_destroy(lock) ((void)pthread_mutex_destroy(lock))
#define gasnett_mutex_destroy_ignoreerr(lock) ((void)pthread_mutex_destroy(lock))
#define gasnett_mutex_lock(lock) ((void)pthread_mutex_lock(lock))
#define gasnett_mutex_trylock(lock) pthread_mutex_trylock(lock)
#define gasnett_mutex_unlock(lock) ((void)pthread_mutex_unlock(lock))
#define gasnett_mutex_assertlocked(lock) ((void)(lock))
#define gasnett_mutex_assertunlocked(lock) ((void)(lock))
typedef pthread_cond_t gasnett_cond_t;
#define GASNETT_COND_INITIALIZER PTHREAD_COND_INITIALIZER
#define gasnett_cond_init(condition) ((void)pthread_cond_init(condition, NULL))
#define gasnett_cond_destroy(condition) ((void)pthread_cond_destroy(condition))
#define gasnett_cond_wait(condition, lock) ((void)pthread_cond_wait(condition, lock))
#define gasnett_cond_signal(condition) ((void)pthread_cond_signal(condition))
#define gasnett_cond_broadcast(condition) ((void)pthread_cond_broadcast(condition))
typedef pthread_rwlock_t gasnett_rwlock_t;
#define GASNETT_RWLOCK_INITIALIZER PTHREAD_RWLOCK_INITIALIZER
#define gasnett_rwlock_init(lock) ((void)pthread_rwlock_init(lock, NULL))
#define gasnett_rwlock_destroy(lock) ((void)pthread_rwlock_destroy(lock))
#define gasnett_rwlock_rdlock(lock) ((void)pthread_rwlock_rdlock(lock))
#define gasnett_rwlock_wrlock(lock) ((void)pthread_rwlock_wrlock(lock))
#define gasnett_rwlock_tryrdlock(lock) pthread_rwlock_tryrdlock(lock)
#define gasnett_rwlock_trywrlock(lock) pthread_rwlock_trywrlock(lock)
#define gasnett_rwlock_unlock(lock) ((void)pthread_rwlock_unlock(lock))
#define gasnett_rwlock_assertlocked(lock) ((void)(lock))
#define gasnett_rwlock_assertunlocked(lock) ((void)(lock))
#define gasnett_rwlock_assertrdlocked(lock) ((void)(lock))
#define gasnett_rwlock_assertwrlocked(lock) ((void)(lock))

/* ---- thread data: one pointer for each key ---- */

#define GASNETT_THREADKEY_DEFINE(key)                                                              \
    __thread void *key;                                                                            \
    extern int key##_fl_gasnet_defined
#define GASNETT_THREADKEY_DECLARE(key) extern __thread void *key
#define gasnett_threadkey_init(key) ((void)&(key))
#define gasnett_threadkey_get(key) (key)
#define gasnett_threadkey_set(key, value) ((void)((key) = (void *)(value)))
#define gasnett_threadkey_get_noinit(key) (key)
#define gasnett_threadkey_set_noinit(key, value) ((void)((key) = (void *)(value)))

/* ---- the environment ---- */

char *gasnett_getenv(const char *name);
char *gasnett_getenv_withdefault(const char *name, const char *otherwise);
int gasnett_getenv_yesno_withdefault(const char *name, int otherwise);
int64_t gasnett_getenv_int_withdefault(const char *name, int64_t otherwise, uint64_t memory_unit);
double gasnett_getenv_dbl_withdefault(const char *name, double otherwise);
#define gasnett_setenv(name, value) ((void)setenv(name, value, 1))
#define gasnett_unsetenv(name) ((void)unsetenv(name))
int64_t gasnett_parse_int(const char *text, uint64_t unit);
char *gasnett_format_number(int64_t value, char *text, size_t room, int is_memory);
int gasnett_verboseenv(void);
void gasnett_envstr_display(const char *name, const char *value, int is_default);
void gasnett_envint_display(const char *name, int64_t value, int is_default, int is_memory);
void gasnett_envdbl_display(const char *name, double value, int is_default);

/* ---- diagnosis ---- */

void gasnett_fatalerror_at(const char *place, const char *format, ...)
    __attribute__((__noreturn__, __format__(__printf__, 2, 3)));
#define gasnett_fatalerror(...) gasnett_fatalerror_at(gasnett_current_loc, __VA_ARGS__)
#define gasnett_fatalerror_nopos(...) gasnett_fatalerror_at((const char *)0, __VA_ARGS__)
int gasnett_print_backtrace(int fd);
extern int (*gasnett_print_backtrace_ifenabled)(int fd);
#define gasnett_backtrace_init(program) ((void)(program))
typedef struct {
    const char *name;
    int (*fnp)(int);
    int threadsupport;
} gasnett_backtrace_type_t;
#define gasnett_freezeForDebuggerNow(flag, name) ((void)(flag), (void)(name))
#define gasnett_freezeForDebuggerErr() ((void)0)
#define gasnett_killmyprocess(code) _exit(code)
typedef void (*gasnett_sighandlerfn_t)(int);
gasnett_sighandlerfn_t gasnett_reghandler(int signal, gasnett_sighandlerfn_t handler);
#define gasnett_flush_streams() ((void)fflush(NULL))
#define gasnett_close_streams() ((void)fflush(NULL))

/* ---- the machine ---- */

int gasnett_cpu_count(void);
uint64_t gasnett_getPhysMemSz(int fatal);
const char *gasnett_gethostname(void);
const char *gasnett_exe_name(void);
#define gasnett_isLittleEndian() 1
#define gasnett_sched_yield() ((void)sched_yield())
static inline void gasnett_spinloop_hint(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#else
    gasnett_compiler_fence();
#endif
}
#define gasnett_set_affinity(rank) ((void)(rank), 1)
#define gasnett_maximize_rlimits() ((void)0)
int gasnett_maximize_rlimit(int resource, const char *name);
void *gasnett_mmap(uintptr_t bytes);
#define GASNETT_PAGESIZE GASNETI_PAGESIZE
#define GASNETT_PAGESHIFT GASNETI_PAGESHIFT
#define GASNETT_CACHE_LINE_BYTES GASNETI_CACHE_LINE_BYTES
#define GASNETT_SYSTEM_TUPLE "linux-gnu"
#define GASNETT_MAX_THREADS GASNETI_MAX_THREADS
uint64_t gasnett_checksum(const void *p, int bytes);
size_t gasnett_count0s(const void *p, size_t bytes);
size_t gasnett_count0s_copy(void *to, const void *from, size_t bytes);
#define gasnett_count0s_uint32_t(value) gasnett_count0s_of(value, 4)
#define gasnett_count0s_uint64_t(value) gasnett_count0s_of(value, 8)
#define gasnett_count0s_uintptr_t(value) gasnett_count0s_of(value, 8)
static inline int gasnett_count0s_of(uint64_t value, int bytes) {
    int zeros = 0;
    for (int i = 0; i < bytes; i++) {
        zeros += (value >> 8 * i & 0xff) == 0;
    }
    return zeros;
}
#define gasnett_performance_warning_str() ""
#define gasnett_release_version()                                                                  \
    (GASNETT_RELEASE_VERSION_MAJOR * 10000 + GASNETT_RELEASE_VERSION_MINOR * 100 +                 \
     GASNETT_RELEASE_VERSION_PATCH)
#define gasnett_release_version_str() "2025.8.0"

/* ---- tracing: no effect ---- */

#define GASNETT_TRACE_ENABLED 0
#define GASNETT_TRACE_PRINTF(...) ((void)0)
#define GASNETT_TRACE_PRINTF_FORCE(...) ((void)0)
#define GASNETT_TRACE_GETMASK() ""
#define GASNETT_TRACE_SETMASK(mask) ((void)(mask))
#define GASNETT_TRACE_GET_TRACELOCAL() 0
#define GASNETT_TRACE_SET_TRACELOCAL(on) ((void)(on))
#define GASNETT_TRACE_SETSOURCELINE(file, line) ((void)(file), (void)(line))
#define GASNETT_TRACE_GETSOURCELINE(file_p, line_p) ((void)(file_p), (void)(line_p))
#define GASNETT_TRACE_FREEZESOURCELINE() ((void)0)
#define GASNETT_TRACE_UNFREEZESOURCELINE() ((void)0)
#define GASNETT_STATS_INIT(callback) ((void)0)
#define GASNETT_STATS_PRINTF(...) ((void)0)
#define GASNETT_STATS_PRINTF_FORCE(...) ((void)0)
#define GASNETT_STATS_GETMASK() ""
#define GASNETT_STATS_SETMASK(mask) ((void)(mask))
#define GASNETT_STATS_DUMP(reset) ((void)(reset))

#pragma GCC visibility pop
GASNETT_END_EXTERNC

#endif
