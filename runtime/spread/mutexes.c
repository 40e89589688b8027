/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mutexes, condition variables and once-controls of POSIX threads that are in the program's memory:
 * they are everybody's, and the threads that use them may be on several hosts. A mutex is the lock of
 * coherent memory that has its address for a name. A condition variable is a count of its signals:
 * who waits has read it under the mutex, and wakes when it has grown; POSIX allows it to wake in vain.
 */
#include "spread/inside.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { ONCE_DONE = 2 }; /* as glibc has it, whose code may look first */

/* Not 0; no other thread of the job has it. */
static int own_id(void) {
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

static int take(pthread_mutex_t *mutex, bool wait) {
    /* Nobody else writes this thread's number there. */
    bool own = *(volatile int *)owner_of(mutex) == own_id();
    if (own && is_recursive(mutex)) {
        mutex->__data.__count++;
        return 0;
    }
    if (own && (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK) {
        return wait ? EDEADLK : EBUSY;
    }
    unsigned lock = fl_spread_lock_of(mutex);
    fl_meet_settle();
    if (wait) {
        fl_dsm_acquire(lock);
    } else if (!fl_dsm_acquire_try(lock)) {
        return EBUSY;
    }
    *owner_of(mutex) = own_id();
    return 0;
}

static int give(pthread_mutex_t *mutex) {
    if (is_recursive(mutex) && mutex->__data.__count > 0) {
        mutex->__data.__count--;
        return 0;
    }
    *owner_of(mutex) = 0;
    fl_dsm_release(fl_spread_lock_of(mutex));
    return 0;
}

FL_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return fl_spread_is_coherent(mutex) ? take(mutex, true) : FL_NEXT(pthread_mutex_lock)(mutex);
}

FL_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return fl_spread_is_coherent(mutex) ? take(mutex, false)
                                        : FL_NEXT(pthread_mutex_trylock)(mutex);
}

FL_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    return fl_spread_is_coherent(mutex) ? give(mutex) : FL_NEXT(pthread_mutex_unlock)(mutex);
}

FL_EXPORT int pthread_once(pthread_once_t *once, void (*body)(void)) {
    if (!fl_spread_is_coherent(once)) {
        return FL_NEXT(pthread_once)(once, body);
    }
    unsigned lock = fl_spread_lock_of(once);
    fl_dsm_acquire(lock);
    if (*once != ONCE_DONE) {
        body();
        *once = ONCE_DONE;
    }
    fl_dsm_release(lock);
    return 0;
}

/* ---- condition variables ---- */

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex,
                    const struct timespec *deadline, clockid_t clock) {
    fl_meet_settle();
    uint64_t signals = fl_meet_count(condition, 0);
    int error = 0;
    (void)pthread_mutex_unlock(mutex);
    if (!deadline) {
        fl_meet_await_count(condition, signals + 1);
    }
    while (deadline && fl_meet_count(condition, 0) == signals && !error) {
        struct timespec now;
        clock_gettime(clock, &now);
        bool late = now.tv_sec > deadline->tv_sec ||
                    (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
        error = late ? ETIMEDOUT : 0;
        fl_os_nap();
    }
    (void)pthread_mutex_lock(mutex);
    return error;
}

FL_EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return fl_spread_is_coherent(condition)
               ? wait_for(condition, mutex, NULL, CLOCK_REALTIME)
               : FL_NEXT(pthread_cond_wait)(condition, mutex);
}

FL_EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                     const struct timespec *deadline) {
    return fl_spread_is_coherent(condition)
               ? wait_for(condition, mutex, deadline, CLOCK_REALTIME)
               : FL_NEXT(pthread_cond_timedwait)(condition, mutex, deadline);
}

FL_EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                     clockid_t clock, const struct timespec *deadline) {
    return fl_spread_is_coherent(condition)
               ? wait_for(condition, mutex, deadline, clock)
               : FL_NEXT(pthread_cond_clockwait)(condition, mutex, clock, deadline);
}

FL_EXPORT int pthread_cond_signal(pthread_cond_t *condition) {
    if (!fl_spread_is_coherent(condition)) {
        return FL_NEXT(pthread_cond_signal)(condition);
    }
    (void)fl_meet_count(condition, 1);
    return 0;
}

FL_EXPORT int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!fl_spread_is_coherent(condition)) {
        return FL_NEXT(pthread_cond_broadcast)(condition);
    }
    (void)fl_meet_count(condition, 1);
    return 0;
}

FL_EXPORT int pthread_cond_destroy(pthread_cond_t *condition) {
    return fl_spread_is_coherent(condition) ? 0 : FL_NEXT(pthread_cond_destroy)(condition);
}
