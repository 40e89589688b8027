/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of values that each thread has (pthread_key_create, tss_create). The C library's keys are a
 * process's own. A key of the program has a number that is not one of these, and on each host that
 * uses it one of the C library's, which is made when it is first used; the host that has made the
 * program's key knows the destructor.
 */
#include "spread/inside.h"

#include <errno.h>
#include <threads.h>

enum { FIRST = 1 << 20, KEYS = 1 << 14, FREE = 0 };

typedef void destructor(void *);

static struct {
    struct fl_mutex mutex;
    unsigned made; /* by this host */
    destructor *destructors[KEYS];    /* of this host's keys */
    _Atomic pthread_key_t here[KEYS]; /* the C library's and 1, or FREE */
} keys;

static destructor *find_destructor(pthread_key_t number) {
    unsigned host = number % fl_spread_hosts();
    if (host == fl_spread_me()) {
        return keys.destructors[number];
    }
    struct fl_comm_answer answer = {0};
    fl_comm_ask(host, FL_COMM_SPREAD, FL_MESSAGE_WORDS(fl_spread, key, .number = number), NULL, 0,
                &answer);
    return (destructor *)(uintptr_t)answer.words[0];
}

void fl_spread_serve_key(const struct fl_comm_call *call,
                         const struct fl_spread_key_message *asked) {
    uint64_t word = asked->number < KEYS ? (uintptr_t)keys.destructors[asked->number] : 0;
    fl_comm_answer(call->asker, &word, 1, NULL, 0);
}

/* The C library's key, perhaps made now. 0 or an errno value. */
static int find_here(pthread_key_t number, pthread_key_t *key_p) {
    /* [K1] pairs [K2]: the C library's key has been made. */
    pthread_key_t here = atomic_load_explicit(&keys.here[number], memory_order_acquire);
    int error = 0;
    if (FL_UNLIKELY(here == FREE)) {
        destructor *destroy = find_destructor(number);
        fl_mutex_lock(&keys.mutex);
        /* Relaxed: the holder of the mutex changes it. */
        here = atomic_load_explicit(&keys.here[number], memory_order_relaxed);
        if (here == FREE) {
            error = FL_NEXT(pthread_key_create)(&here, destroy);
            here = error ? FREE : here + 1;
            /* [K2] pairs [K1]. */
            atomic_store_explicit(&keys.here[number], here, memory_order_release);
        }
        fl_mutex_unlock(&keys.mutex);
    }
    *key_p = here - 1;
    return error;
}

/* Keys of libraries of the system are the C library's. */
static bool is_program(pthread_key_t key) {
    return key - FIRST < KEYS;
}

static int create(pthread_key_t *key_p, destructor *destroy, const void *caller) {
    if (fl_spread_phase() == FL_SPREAD_ALONE || fl_object_of(caller) != FL_OBJECT_PROGRAM) {
        return FL_NEXT(pthread_key_create)(key_p, destroy);
    }
    fl_mutex_lock(&keys.mutex);
    unsigned number = keys.made * fl_spread_hosts() + fl_spread_me();
    keys.made += number < KEYS;
    fl_mutex_unlock(&keys.mutex);
    if (number >= KEYS) {
        return EAGAIN;
    }
    keys.destructors[number] = destroy;
    pthread_key_t unused;
    int error = find_here(number, &unused);
    if (!error) {
        *key_p = FIRST + number;
    }
    return error;
}

FL_EXPORT int pthread_key_create(pthread_key_t *key_p, destructor *destroy) {
    return create(key_p, destroy, __builtin_return_address(0));
}

/* Other hosts keep theirs: their threads may have values. */
FL_EXPORT int pthread_key_delete(pthread_key_t key) {
    if (!is_program(key)) {
        return FL_NEXT(pthread_key_delete)(key);
    }
    pthread_key_t here;
    int error = find_here(key - FIRST, &here);
    return error ? error : FL_NEXT(pthread_key_delete)(here);
}

FL_EXPORT void *pthread_getspecific(pthread_key_t key) {
    pthread_key_t here = key;
    int error = is_program(key) ? find_here(key - FIRST, &here) : 0;
    return error ? NULL : FL_NEXT(pthread_getspecific)(here);
}

FL_EXPORT int pthread_setspecific(pthread_key_t key, const void *value) {
    pthread_key_t here = key;
    int error = is_program(key) ? find_here(key - FIRST, &here) : 0;
    return error ? error : FL_NEXT(pthread_setspecific)(here, value);
}

/* ---- C11 ---- */

FL_EXPORT int tss_create(tss_t *key_p, tss_dtor_t destroy) {
    return create(key_p, destroy, __builtin_return_address(0)) ? thrd_error : thrd_success;
}

FL_EXPORT void tss_delete(tss_t key) {
    (void)pthread_key_delete(key);
}

FL_EXPORT void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

FL_EXPORT int tss_set(tss_t key, void *value) {
    return pthread_setspecific(key, value) ? thrd_error : thrd_success;
}
