/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Futexes in the program's memory work over hosts. C++ waits by them: for futures, latches,
 * barriers and atomic objects. A futex is a counter of its wakes, as a condition variable is of its
 * signals; a thread may wake spuriously, which Linux allows, too.
 */
#include "spread/inside.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The time of FUTEX_WAIT is relative, that of the other operations absolute. */
static struct timespec after(const struct timespec *time) {
    enum { SECOND = 1000000000 };
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += time->tv_sec;
    end.tv_nsec += time->tv_nsec;
    if (end.tv_nsec >= SECOND) {
        end.tv_sec++;
        end.tv_nsec -= SECOND;
    }
    return end;
}

/* As the kernel loads it: where the thread's own atomic operations on the word come before, in the
 * order of all hosts' operations. The host's copy may have their effect, and lack that of another
 * host's operation which came first, and which nothing else orders. */
static uint32_t load(const volatile uint32_t *word) {
    struct fl_atomic_op op = {.at = (void *)(uintptr_t)word, .relaxed = true};
    enum fl_omp_far_atomic begun = fl_omp_atomic_begin(&op);
    uint32_t value = *word;
    fl_omp_atomic_end(begun, &op);
    return value;
}

static long wait_for(const volatile uint32_t *word, uint32_t expected,
                     const struct fl_until *until) {
    const void *name = (const void *)(uintptr_t)word;
    fl_meet_settle();
    uint64_t wakes = fl_meet_count(name, 0);
    fl_mutexes_pass(name); /* a thread that changes the word later counts its wake later */
    if (load(word) != expected) {
        errno = EAGAIN;
        return -1;
    }
    bool woken = fl_meet_await_count(name, wakes + 1, "a futex", until);
    fl_mutexes_pass(name);
    errno = woken ? errno : ETIMEDOUT;
    return woken ? 0 : -1;
}

static long wake(const void *name, int most) {
    fl_mutexes_pass(name);
    (void)fl_meet_count(name, 1);
    return most;
}

FL_EXPORT long syscall(long number, ...) {
    va_list more;
    va_start(more, number);
    long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long);
    long d = va_arg(more, long), e = va_arg(more, long), f = va_arg(more, long);
    va_end(more);
    bool shared = number == SYS_futex && fl_spread_is_coherent((const void *)a) &&
                  fl_object_of(__builtin_return_address(0)) >= FL_OBJECT_LIBRARY;
    if (!shared) {
        return FL_NEXT(syscall)(number, a, b, c, d, e, f);
    }
    const struct timespec *time = (const struct timespec *)d;
    struct timespec end;
    switch (b & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        end = time ? after(time) : (struct timespec){0};
        return wait_for((const volatile uint32_t *)a, (uint32_t)c,
                        time ? &(struct fl_until){CLOCK_MONOTONIC, &end} : NULL);
    case FUTEX_WAIT_BITSET:
        return wait_for(
            (const volatile uint32_t *)a, (uint32_t)c,
            time ? &(struct fl_until){b & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                                      time}
                 : NULL);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return wake((const void *)a, (int)c);
    }
    fl_fatal(FL_CODE_ONE_HOST_ONLY, "operation %ld on a futex; hosts share those that wait and wake",
             b & FUTEX_CMD_MASK);
}
