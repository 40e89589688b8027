/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mutexes, condition variables and once-controls of POSIX threads that are in the program's memory:
 * the threads that use them may be on several hosts. A mutex is the lock of coherent memory that
 * has its address as its name. A condition variable is a counter of its signals: a waiter has read
 * it under the mutex, and wakes when it has grown; POSIX allows spurious wakes.
 */
#include "spread/inside.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { ONCE_DONE = 2 }; /* as glibc has it, whose code may look first */

const struct fl_until fl_at_once;

int fl_mutexes_own_id(void) {
    static _Thread_local int id;
    if (!id) {
        id = fl_os_thread_id() ^ (int)(fl_spread_me() << 22);
    }
    return id;
}

static int *owner_of(pthread_mutex_t *mutex) {
    return &mutex->__data.__owner;
}

static bool is_recursive(const pthread_mutex_t *mutex) {
    return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
}

bool fl_mutexes_is_over(const struct fl_until *until) {
    struct timespec now;
    clock_gettime(until->clock, &now);
    return now.tv_sec > until->time->tv_sec ||
           (now.tv_sec == until->time->tv_sec && now.tv_nsec >= until->time->tv_nsec);
}

int fl_mutexes_take(const void *name, const struct fl_until *until) {
    unsigned lock = fl_spread_lock_of(name);
    fl_meet_settle();
    if (!until) {
        fl_dsm_acquire(lock);
        return 0;
    }
    bool got = fl_dsm_acquire_try(lock);
    if (!got && !until->time) {
        return EBUSY;
    }
    fl_wait_begin("a lock, for a time", NULL, 0);
    while (!got && !fl_mutexes_is_over(until)) {
        fl_os_nap();
        got = fl_dsm_acquire_try(lock);
    }
    fl_wait_end();
    return got ? 0 : ETIMEDOUT;
}

void fl_mutexes_give(const void *name) {
    fl_meet_settle();
    fl_dsm_release(fl_spread_lock_of(name));
}

void fl_mutexes_pass(const void *name) {
    (void)fl_mutexes_take(name, NULL);
    fl_mutexes_give(name);
}

static int take(pthread_mutex_t *mutex, const struct fl_until *until) {
    /* No other thread writes this thread's number there. */
    bool own = *(volatile int *)owner_of(mutex) == fl_mutexes_own_id();
    if (own && is_recursive(mutex)) {
        mutex->__data.__count++;
        return 0;
    }
    if (own && (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK) {
        return until && !until->time ? EBUSY : EDEADLK;
    }
    int error = fl_mutexes_take(mutex, until);
    if (!error) {
        *owner_of(mutex) = fl_mutexes_own_id();
    }
    return error;
}

static int give(pthread_mutex_t *mutex) {
    if (is_recursive(mutex) && mutex->__data.__count > 0) {
        mutex->__data.__count--;
        return 0;
    }
    *owner_of(mutex) = 0;
    fl_mutexes_give(mutex);
    return 0;
}

FL_SHARED(pthread_mutex_lock, mutex, take(mutex, NULL), (pthread_mutex_t * mutex), (mutex))
FL_SHARED(pthread_mutex_trylock, mutex, take(mutex, &fl_at_once), (pthread_mutex_t * mutex), (mutex))
FL_SHARED_UNTIL(pthread_mutex_timedlock, pthread_mutex_clocklock, mutex, take(mutex, until),
                (pthread_mutex_t * mutex), (mutex))
FL_SHARED(pthread_mutex_unlock, mutex, give(mutex), (pthread_mutex_t * mutex), (mutex))

static int run_once(pthread_once_t *once, void (*body)(void)) {
    unsigned lock = fl_spread_lock_of(once);
    fl_dsm_acquire(lock);
    if (*once != ONCE_DONE) {
        body();
        *once = ONCE_DONE;
    }
    fl_dsm_release(lock);
    return 0;
}

FL_SHARED(pthread_once, once, run_once(once, body), (pthread_once_t * once, void (*body)(void)),
          (once, body))

/* ---- condition variables ---- */

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex,
                    const struct fl_until *until) {
    fl_meet_settle();
    uint64_t signals = fl_meet_count(condition, 0);
    (void)pthread_mutex_unlock(mutex);
    bool woken = fl_meet_await_count(condition, signals + 1, "a condition variable", until);
    (void)pthread_mutex_lock(mutex);
    return woken ? 0 : ETIMEDOUT;
}

static int signal_all(pthread_cond_t *condition) {
    (void)fl_meet_count(condition, 1);
    return 0;
}

FL_SHARED(pthread_cond_wait, condition, wait_for(condition, mutex, NULL),
          (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
FL_SHARED_UNTIL(pthread_cond_timedwait, pthread_cond_clockwait, condition,
                wait_for(condition, mutex, until),
                (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
FL_SHARED(pthread_cond_signal, condition, signal_all(condition), (pthread_cond_t * condition),
          (condition))
FL_SHARED(pthread_cond_broadcast, condition, signal_all(condition), (pthread_cond_t * condition),
          (condition))
FL_SHARED(pthread_cond_destroy, condition, 0, (pthread_cond_t * condition), (condition))
