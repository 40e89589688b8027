/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads, mutexes and condition variables of C11 (7.26), by those of POSIX in mutexes.c and
 * stacks.c: the C library's own call POSIX's under names on which no library can interpose. glibc
 * has the same objects for both, so its mtx_init and cnd_init serve.
 */
#include "spread/inside.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "one object serves both");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "one object serves both");
_Static_assert(sizeof(thrd_t) == sizeof(pthread_t), "one name serves both");

static int result_of(int error) {
    switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: case EAGAIN: return thrd_nomem;
    default: return thrd_error;
    }
}

static pthread_mutex_t *mutex_of(mtx_t *mutex) {
    return (pthread_mutex_t *)(void *)mutex;
}

static pthread_cond_t *condition_of(cnd_t *condition) {
    return (pthread_cond_t *)(void *)condition;
}

#define BY_POSIX(name, call, ...)                                                                  \
    FL_EXPORT int name(__VA_ARGS__) {                                                              \
        return result_of(call);                                                                    \
    }
BY_POSIX(mtx_lock, pthread_mutex_lock(mutex_of(mutex)), mtx_t *mutex)
BY_POSIX(mtx_timedlock, pthread_mutex_timedlock(mutex_of(mutex), time), mtx_t *restrict mutex,
         const struct timespec *restrict time)
BY_POSIX(mtx_trylock, pthread_mutex_trylock(mutex_of(mutex)), mtx_t *mutex)
BY_POSIX(mtx_unlock, pthread_mutex_unlock(mutex_of(mutex)), mtx_t *mutex)
BY_POSIX(cnd_wait, pthread_cond_wait(condition_of(condition), mutex_of(mutex)), cnd_t *condition,
         mtx_t *mutex)
BY_POSIX(cnd_timedwait, pthread_cond_timedwait(condition_of(condition), mutex_of(mutex), time),
         cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time)
BY_POSIX(cnd_signal, pthread_cond_signal(condition_of(condition)), cnd_t *condition)
BY_POSIX(cnd_broadcast, pthread_cond_broadcast(condition_of(condition)), cnd_t *condition)

FL_EXPORT void cnd_destroy(cnd_t *condition) {
    (void)pthread_cond_destroy(condition_of(condition));
}

FL_EXPORT void call_once(once_flag *once, void (*body)(void)) {
    (void)pthread_once((pthread_once_t *)(void *)once, body);
}

/* ---- threads: their results are int ---- */

struct start {
    thrd_start_t body;
    void *argument;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    return (void *)(intptr_t)start.body(start.argument);
}

FL_EXPORT int thrd_create(thrd_t *thread, thrd_start_t body, void *argument) {
    struct start *start = malloc(sizeof *start);
    if (!start) {
        return thrd_nomem;
    }
    *start = (struct start){body, argument};
    int error = fl_stacks_create(thread, NULL, run, start, __builtin_return_address(0));
    if (error) {
        free(start);
    }
    return result_of(error);
}

FL_EXPORT int thrd_join(thrd_t thread, int *result_p) {
    void *result = NULL;
    int error = pthread_join(thread, &result);
    if (!error && result_p) {
        *result_p = (int)(intptr_t)result;
    }
    return result_of(error);
}

BY_POSIX(thrd_detach, pthread_detach(thread), thrd_t thread)
