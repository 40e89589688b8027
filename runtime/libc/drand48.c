/* SPDX-License-Identifier: BSD-3-Clause */
/* drand48 and its family (POSIX). */
#include "core/mutex.h"
#include "libc/state.h"

#include <stdlib.h>

struct generator {
    struct fl_mutex mutex;
    struct drand48_data data; /* zeros: glibc's begin */
};

static struct generator *lock_generator(void) {
    struct generator *generator = libc_state(UPC_LIBC_DRAND48, sizeof *generator);
    fl_mutex_lock(&generator->mutex);
    return generator;
}

/* The next number of the sequence, or of the one that the caller keeps. */
#define NEXT(type, name, own_name)                                                                 \
    LIBC_OWN type name(void) {                                                                     \
        struct generator *generator = lock_generator();                                            \
        type number;                                                                               \
        (void)name##_r(&generator->data, &number);                                                 \
        fl_mutex_unlock(&generator->mutex);                                                        \
        return number;                                                                             \
    }                                                                                              \
    LIBC_OWN type own_name(unsigned short numbers[3]) {                                            \
        struct generator *generator = lock_generator();                                            \
        type number;                                                                               \
        (void)own_name##_r(numbers, &generator->data, &number);                                    \
        fl_mutex_unlock(&generator->mutex);                                                        \
        return number;                                                                             \
    }

NEXT(double, drand48, erand48)
NEXT(long, lrand48, nrand48)
NEXT(long, mrand48, jrand48)

LIBC_OWN void srand48(long seed) {
    struct generator *generator = lock_generator();
    (void)srand48_r(seed, &generator->data);
    fl_mutex_unlock(&generator->mutex);
}

LIBC_OWN unsigned short *seed48(unsigned short seed[3]) {
    struct generator *generator = lock_generator();
    (void)seed48_r(seed, &generator->data);
    fl_mutex_unlock(&generator->mutex);
    return generator->data.__old_x;
}

LIBC_OWN void lcong48(unsigned short parameters[7]) {
    struct generator *generator = lock_generator();
    (void)lcong48_r(parameters, &generator->data);
    fl_mutex_unlock(&generator->mutex);
}
