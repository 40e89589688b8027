/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Read-write locks, spin locks, barriers and semaphores of POSIX threads that are in the program's
 * memory, as mutexes.c has mutexes: the threads that use them may be on several hosts. Readers
 * exclude one another.
 */
#include "spread/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

/* ---- read-write locks: the owner may read once more ---- */

static int take(pthread_rwlock_t *lock, bool reads, const struct fl_until *until) {
    /* No other thread writes this thread's number there. */
    if (*(volatile int *)&lock->__data.__cur_writer == fl_mutexes_own_id()) {
        lock->__data.__readers += reads;
        return reads ? 0 : until && !until->time ? EBUSY : EDEADLK;
    }
    int error = fl_mutexes_take(lock, until);
    if (!error) {
        lock->__data.__cur_writer = fl_mutexes_own_id();
    }
    return error;
}

static int give(pthread_rwlock_t *lock) {
    if (lock->__data.__readers > 0) {
        lock->__data.__readers--;
        return 0;
    }
    lock->__data.__cur_writer = 0;
    fl_mutexes_give(lock);
    return 0;
}

FL_SHARED(pthread_rwlock_rdlock, lock, take(lock, true, NULL), (pthread_rwlock_t * lock), (lock))
FL_SHARED(pthread_rwlock_wrlock, lock, take(lock, false, NULL), (pthread_rwlock_t * lock), (lock))
FL_SHARED(pthread_rwlock_tryrdlock, lock, take(lock, true, &fl_at_once), (pthread_rwlock_t * lock),
          (lock))
FL_SHARED(pthread_rwlock_trywrlock, lock, take(lock, false, &fl_at_once), (pthread_rwlock_t * lock),
          (lock))
FL_SHARED_UNTIL(pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock, lock,
                take(lock, true, until), (pthread_rwlock_t * lock), (lock))
FL_SHARED_UNTIL(pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock, lock,
                take(lock, false, until), (pthread_rwlock_t * lock), (lock))
FL_SHARED(pthread_rwlock_unlock, lock, give(lock), (pthread_rwlock_t * lock), (lock))

/* ---- spin locks ---- */

static void *name_of(pthread_spinlock_t *lock) {
    return (void *)(uintptr_t)lock; /* the type is volatile */
}

static int give_spinlock(pthread_spinlock_t *lock) {
    fl_mutexes_give(name_of(lock));
    return 0;
}

FL_SHARED(pthread_spin_lock, name_of(lock), fl_mutexes_take(name_of(lock), NULL),
          (pthread_spinlock_t * lock), (lock))
FL_SHARED(pthread_spin_trylock, name_of(lock), fl_mutexes_take(name_of(lock), &fl_at_once),
          (pthread_spinlock_t * lock), (lock))
FL_SHARED(pthread_spin_unlock, name_of(lock), give_spinlock(lock), (pthread_spinlock_t * lock),
          (lock))

/* ---- barriers: counters of arrivals ---- */

/* glibc has initialised it, perhaps before hosts were together. */
struct barrier {
    uint64_t before; /* the counter then: an earlier barrier may have had the address */
    unsigned threads;
};

FL_EXPORT int pthread_barrier_init(pthread_barrier_t *place, const pthread_barrierattr_t *attributes,
                                   unsigned threads) {
    int error = FL_NEXT(pthread_barrier_init)(place, attributes, threads);
    if (!error && fl_spread_is_coherent(place)) {
        ((struct barrier *)(void *)place)->before = fl_meet_count(place, 0);
    }
    return error;
}

static int meet(pthread_barrier_t *place) {
    const struct barrier *barrier = (const struct barrier *)(const void *)place;
    fl_mutexes_pass(place);
    uint64_t before = barrier->before;
    uint64_t come = fl_meet_count(place, 1) - before, threads = barrier->threads;
    (void)fl_meet_await_count(place, before + (come / threads + 1) * threads, "a barrier of threads",
                              NULL);
    fl_mutexes_pass(place);
    return come % threads == threads - 1 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

FL_SHARED(pthread_barrier_wait, place, meet(place), (pthread_barrier_t * place), (place))
FL_SHARED(pthread_barrier_destroy, place, 0, (pthread_barrier_t * place), (place))

/* ---- semaphores: the value is under the lock; posts are counted for waiters ---- */

static unsigned *value_of(sem_t *semaphore) {
    return (unsigned *)(void *)semaphore;
}

static int begin(sem_t *semaphore, unsigned value) {
    *value_of(semaphore) = value;
    return 0;
}

static int post(sem_t *semaphore) {
    (void)fl_mutexes_take(semaphore, NULL);
    ++*value_of(semaphore);
    fl_mutexes_give(semaphore);
    (void)fl_meet_count(semaphore, 1);
    return 0;
}

static bool take_one(sem_t *semaphore) {
    (void)fl_mutexes_take(semaphore, NULL);
    bool is = *value_of(semaphore) > 0;
    *value_of(semaphore) -= is;
    fl_mutexes_give(semaphore);
    return is;
}

static int wait_for_one(sem_t *semaphore, const struct fl_until *until) {
    uint64_t posts = fl_meet_count(semaphore, 0);
    bool got = take_one(semaphore);
    if (!got && until && !until->time) {
        errno = EAGAIN;
        return -1;
    }
    while (!got && fl_meet_await_count(semaphore, posts + 1, "a semaphore", until)) {
        posts = fl_meet_count(semaphore, 0);
        got = take_one(semaphore);
    }
    errno = got ? errno : ETIMEDOUT;
    return got ? 0 : -1;
}

static int read_value(sem_t *semaphore, int *value) {
    (void)fl_mutexes_take(semaphore, NULL);
    *value = (int)*value_of(semaphore);
    fl_mutexes_give(semaphore);
    return 0;
}

FL_SHARED(sem_init, semaphore, begin(semaphore, value),
          (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value))
FL_SHARED(sem_destroy, semaphore, 0, (sem_t * semaphore), (semaphore))
FL_SHARED(sem_post, semaphore, post(semaphore), (sem_t * semaphore), (semaphore))
FL_SHARED(sem_wait, semaphore, wait_for_one(semaphore, NULL), (sem_t * semaphore), (semaphore))
FL_SHARED(sem_trywait, semaphore, wait_for_one(semaphore, &fl_at_once), (sem_t * semaphore),
          (semaphore))
FL_SHARED_UNTIL(sem_timedwait, sem_clockwait, semaphore, wait_for_one(semaphore, until),
                (sem_t * semaphore), (semaphore))
FL_SHARED(sem_getvalue, semaphore, read_value(semaphore, value), (sem_t * semaphore, int *value),
          (semaphore, value))

/* A named semaphore is in a file of one host's memory: each host would have another one. */
FL_EXPORT sem_t *sem_open(const char *name, int flags, ...) {
    if (!fl_spread_together()) {
        va_list more;
        va_start(more, flags);
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
        unsigned value = flags & O_CREAT ? va_arg(more, unsigned) : 0;
        va_end(more);
        return FL_NEXT(sem_open)(name, flags, mode, value);
    }
    fl_warn("semaphores with names do not go over several hosts, and `%s` is not opened; use sem_init",
            name);
    errno = ENOSYS;
    return SEM_FAILED;
}
