/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of emitted code, barriers, and what else orders (wrapped.def). */
#include "check/calls.h"

#include "check/lines.h"
#include "check/locks.h"
#include "check/report.h"
#include "check/transfers.h"
#include "furlong/bupc/atomic.h"
#include "upc/finish.h"

#include <pthread.h>
#include <string.h>

_Thread_local struct check_thread check_self;

/* ---- the program ---- */

static void end_thread(bool in_order) {
    if (check_self.on) {
        check_lines_record();
        check_locks_end();
        check_transfers_end();
        check_report_end(in_order);
    }
}

int __wrap_upcr_main(int argc, char **argv, char **envp) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, check_start);
    check_clock_start(upc_self->me, upc_process.job.threads);
    upc_finish_also(end_thread);
    check_self.on = true;
    return __real_upcr_main(argc, argv, envp);
}

/* ---- accesses ---- */

/* Scalars, wherever a packed struct put them. */
typedef uint8_t __attribute__((may_alias)) scalar8;
typedef uint16_t __attribute__((aligned(1), may_alias)) scalar16;
typedef uint32_t __attribute__((aligned(1), may_alias)) scalar32;
typedef uint64_t __attribute__((aligned(1), may_alias)) scalar64;

/* One of this host is copied as a whole. */
#define GET_SCALAR(bits)                                                                           \
    case bits / 8:                                                                                 \
        check_access((uint64_t)from, bits / 8, CHECK_READ, file, line);                            \
        if (FL_LIKELY(check_is_here((uint64_t)from))) {                                            \
            *(scalar##bits *)to = *(const volatile scalar##bits *)from;                            \
            return to;                                                                             \
        }                                                                                          \
        break;
#define PUT_SCALAR(bits)                                                                           \
    case bits / 8:                                                                                 \
        check_access((uint64_t)to, bits / 8, CHECK_WRITE, file, line);                             \
        if (FL_LIKELY(check_is_here((uint64_t)to))) {                                              \
            *(volatile scalar##bits *)to = *(const volatile scalar##bits *)from;                   \
            return;                                                                                \
        }                                                                                          \
        break;

void *__wrap_upcr_get(void *to, const volatile void *from, unsigned long n, const char *file,
                      int line) {
    if (FL_UNLIKELY(!check_self.on || check_self.inside)) {
        return __real_upcr_get(to, from, n, file, line);
    }
    switch (n) {
        GET_SCALAR(64)
        GET_SCALAR(32)
        GET_SCALAR(16)
        GET_SCALAR(8)
    default:
        check_access((uint64_t)from, n, CHECK_READ, file, line);
        break;
    }
    return __real_upcr_get(to, from, n, file, line);
}

void __wrap_upcr_put(volatile void *to, const volatile void *from, unsigned long n,
                     const char *file, int line) {
    if (FL_UNLIKELY(!check_self.on || check_self.inside)) {
        __real_upcr_put(to, from, n, file, line);
        return;
    }
    switch (n) {
        PUT_SCALAR(64)
        PUT_SCALAR(32)
        PUT_SCALAR(16)
        PUT_SCALAR(8)
    default:
        check_access((uint64_t)to, n, CHECK_WRITE, file, line);
        break;
    }
    __real_upcr_put(to, from, n, file, line);
}

/* A write of a bit-field. The read before it is of the same memory, and is not told. */
void __wrap_upcr_put_changed(volatile void *to, const void *twins, unsigned long n,
                             const char *file, int line) {
    if (FL_LIKELY(check_self.on && !check_self.inside)) {
        check_access((uint64_t)to, n, CHECK_WRITE, file, line);
    }
    __real_upcr_put_changed(to, twins, n, file, line);
}

void __wrap_upcr_get_several(const struct upcr_read *reads, unsigned n, const char *file) {
    for (unsigned i = 0; i < n && check_self.on && !check_self.inside; i++) {
        check_access((uint64_t)reads[i].from, reads[i].bytes, CHECK_READ, file, reads[i].line);
    }
    __real_upcr_get_several(reads, n, file);
}

void *__wrap_upcr_get_strict(void *to, const volatile void *from, unsigned long n,
                             const char *file, int line) {
    bool checked = check_enter();
    if (checked) {
        check_access((uint64_t)from, n, CHECK_STRICT, file, line);
    }
    __real_upcr_get_strict(to, from, n, file, line);
    if (checked) {
        check_acquire_memory((uint64_t)from, n);
        check_leave();
    }
    return to;
}

void __wrap_upcr_put_strict(volatile void *to, const void *from, unsigned long n, const char *file,
                            int line) {
    bool checked = check_enter();
    if (checked) {
        check_access((uint64_t)to, n, CHECK_STRICT | CHECK_WRITE, file, line);
        check_release_memory((uint64_t)to, n);
    }
    __real_upcr_put_strict(to, from, n, file, line);
    if (checked) {
        check_leave();
    }
}

/* ---- atomic operations ---- */

/* They order, even relaxed ones: programs use them between fences. */
static bool begin_atomic(uint64_t at, unsigned long n, bool writes, uint32_t site) {
    check_range(at, n, CHECK_ATOMIC | (writes ? CHECK_WRITE : CHECK_READ), site);
    if (writes) {
        check_release_memory(at, n);
    }
    return true;
}

static void end_atomic(uint64_t at, unsigned long n) {
    check_acquire_memory(at, n);
    check_leave();
}

static bool atomic_at(const volatile void *at, unsigned long n, bool writes, const char *file,
                      int line) {
    return check_enter() && begin_atomic((uint64_t)at, n, writes, check_site(file, line, NULL));
}

void __wrap_upcr_atomic(int what, const volatile void *at, void *value, unsigned long n,
                        const char *file, int line) {
    bool checked = atomic_at(at, n, what != UPCR_LOAD, file, line);
    __real_upcr_atomic(what, at, value, n, file, line);
    if (checked) {
        end_atomic((uint64_t)at, n);
    }
}

void __wrap_upcr_atomic_update(int what, volatile void *at, const void *value, unsigned long n,
                               const char *file, int line) {
    bool checked = atomic_at(at, n, true, file, line);
    __real_upcr_atomic_update(what, at, value, n, file, line);
    if (checked) {
        end_atomic((uint64_t)at, n);
    }
}

int __wrap_upcr_atomic_swap(volatile void *at, void *expected, const void *desired,
                            unsigned long n, const char *file, int line) {
    bool checked = atomic_at(at, n, true, file, line);
    int swapped = __real_upcr_atomic_swap(at, expected, desired, n, file, line);
    if (checked) {
        end_atomic((uint64_t)at, n);
    }
    return swapped;
}

#define DOMAIN_CALL(function)                                                                      \
    void __wrap_##function(struct upcr_atomicdomain *domain, void *fetch, upc_op_t op,             \
                           upcr_pts target, const void *a, const void *b) {                        \
        uint64_t at = upcr_address(target);                                                        \
        unsigned bytes = upc_atomic_bytes(domain);                                                 \
        bool checked = bytes && check_enter() &&                                                   \
                       begin_atomic(at, bytes, op != UPC_GET, check_called(#function));            \
        __real_##function(domain, fetch, op, target, a, b);                                        \
        if (checked) {                                                                             \
            end_atomic(at, bytes);                                                                 \
        }                                                                                          \
    }
DOMAIN_CALL(upc_atomic_strict)
DOMAIN_CALL(upc_atomic_relaxed)

#define OLD_CALL(function, type)                                                                   \
    type __wrap_##function(upcr_pts p, int how, type a, type b) {                                  \
        uint64_t at = upcr_address(p);                                                             \
        bool writes = (how & ~UPCR_ATOMIC_STRICT) != UPCR_ATOMIC_READ;                             \
        bool checked = check_enter() &&                                                            \
                       begin_atomic(at, sizeof(type), writes, check_called("bupc_atomic"));        \
        type result = __real_##function(p, how, a, b);                                             \
        if (checked) {                                                                             \
            end_atomic(at, sizeof(type));                                                          \
        }                                                                                          \
        return result;                                                                             \
    }
OLD_CALL(upcr_atomic_i32, int)
OLD_CALL(upcr_atomic_u32, unsigned)
OLD_CALL(upcr_atomic_i64, long)
OLD_CALL(upcr_atomic_u64, unsigned long)
OLD_CALL(upcr_atomic_f, float)
OLD_CALL(upcr_atomic_d, double)

/* What it learns of others it learns when the thread accesses shared memory next. */
void upcr_c_atomic(const volatile void *at, unsigned long n, int writes, const char *file,
                   int line) {
    if (check_is_here((uint64_t)at) && atomic_at(at, n, writes, file, line)) {
        check_lines_record();
        check_self.atomic_of_c = (uint64_t)at;
        check_leave();
    }
}

void upcr_outside_dimension(long i, long n, const char *file, int line) {
    uint32_t site = check_site(file, line, NULL);
    if (check_self.on && check_is_new(FL_CODE_BOUNDS, site, 0)) {
        check_say(FL_CODE_BOUNDS,
                  "%s: thread %u uses subscript %ld of an array of %ld elements",
                  check_place_of(site).text, check_self.me, i, n);
    }
}

/* A part of another thread may be elsewhere on another machine, where this pointer is none. */
void *upcr_own(const volatile void *at, const char *file, int line) {
    uint64_t address = (uint64_t)at;
    if (check_self.on && check_is_here(address)) {
        unsigned thread = fl_space_thread(&upc_process.space, address);
        uint32_t site = check_site(file, line, NULL);
        if (thread != check_self.me && check_is_new(FL_CODE_CHECK, site, 0)) {
            check_say(FL_CODE_CHECK,
                      "%s: thread %u casts a pointer to %s, which thread %u has, to a pointer of "
                      "C; copy it by upc_memget, or ask upc_cast whether it can be addressed",
                      check_place_of(site).text, check_self.me, check_name_of(address).text,
                      thread);
        }
    }
    return (void *)address;
}

/* ---- barriers ---- */

void __wrap_upcr_notify(int named, int value, const char *file, int line) {
    if (check_self.on) {
        check_barrier_release();
    }
    __real_upcr_notify(named, value, file, line);
}

void __wrap_upcr_wait(int named, int value, const char *file, int line) {
    __real_upcr_wait(named, value, file, line);
    if (check_self.on) {
        check_barrier_acquire();
    }
}

void __wrap_upcr_barrier(int named, int value, const char *file, int line) {
    if (check_self.on) {
        check_barrier_release();
    }
    __real_upcr_barrier(named, value, file, line);
    if (check_self.on) {
        check_barrier_acquire();
    }
}

/* ---- semaphores ---- */

#define POST(function, parameters, arguments)                                                      \
    void __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        if (checked) {                                                                             \
            check_release((uint64_t)s);                                                            \
        }                                                                                          \
        __real_##function arguments;                                                               \
        if (checked) {                                                                             \
            check_leave();                                                                         \
        }                                                                                          \
    }
POST(bupc_sem_post, (struct upcr_semaphore * s), (s))
POST(bupc_sem_postN, (struct upcr_semaphore * s, size_t n), (s, n))

#define AWAIT(function, parameters, arguments)                                                     \
    void __wrap_##function parameters {                                                            \
        bool checked = check_enter();                                                              \
        __real_##function arguments;                                                               \
        if (checked) {                                                                             \
            check_acquire((uint64_t)s);                                                            \
            check_leave();                                                                         \
        }                                                                                          \
    }
AWAIT(bupc_sem_wait, (struct upcr_semaphore * s), (s))
AWAIT(bupc_sem_waitN, (struct upcr_semaphore * s, size_t n), (s, n))

/* In vain it learns nothing, but that is no harm. */
#define TRY(function, parameters, arguments)                                                       \
    int __wrap_##function parameters {                                                             \
        bool checked = check_enter();                                                              \
        int taken = __real_##function arguments;                                                   \
        if (checked) {                                                                             \
            if (taken) {                                                                           \
                check_acquire((uint64_t)s);                                                        \
            }                                                                                      \
            check_leave();                                                                         \
        }                                                                                          \
        return taken;                                                                              \
    }
TRY(bupc_sem_try, (struct upcr_semaphore * s), (s))
TRY(bupc_sem_tryN, (struct upcr_semaphore * s, size_t n), (s, n))

/* ---- signals between two ---- */

/* A signal is taken in its turn, so that it brings what came before it, and nothing of what its
 * sender has done since. That holds for so many signals of a pair that are not yet taken. */
enum { TURNS = 8 };
static uint64_t turn_key(unsigned from, unsigned to, uint32_t turn) {
    return (((uint64_t)from << 32 | to) * TURNS + turn % TURNS) * 8 + 1;
}

static void release_to(const int *threads, size_t n) {
    for (size_t i = 0; i < n && check_self.on; i++) {
        unsigned to = (unsigned)threads[i];
        if (to >= check_self.threads) {
            return; /* the call ends the program */
        }
        check_release(turn_key(check_self.me, to, check_self.signalled[to]++));
    }
}

static void acquire_from(const int *threads, size_t n) {
    for (size_t i = 0; i < n && check_self.on; i++) {
        unsigned from = (unsigned)threads[i];
        check_acquire(turn_key(from, check_self.me, check_self.awaited[from]++));
    }
}

void __wrap_upcx_signal(int thread) {
    release_to(&thread, 1);
    __real_upcx_signal(thread);
}

void __wrap_upcx_signal_set(const int *threads, size_t n) {
    release_to(threads, n);
    __real_upcx_signal_set(threads, n);
}

void __wrap_upcx_wait(int thread) {
    __real_upcx_wait(thread);
    acquire_from(&thread, 1);
}

void __wrap_upcx_wait_set(const int *threads, size_t n) {
    __real_upcx_wait_set(threads, n);
    acquire_from(threads, n);
}

int __wrap_upcx_try_wait(int thread) {
    int taken = __real_upcx_try_wait(thread);
    acquire_from(&thread, taken ? 1 : 0);
    return taken;
}

int __wrap_upcx_wait_any(const int *threads, size_t n) {
    int thread = __real_upcx_wait_any(threads, n);
    acquire_from(&thread, 1);
    return thread;
}

void __wrap_upcx_sync(const int *threads, size_t n) {
    release_to(threads, n);
    __real_upcx_sync(threads, n);
    acquire_from(threads, n);
}
