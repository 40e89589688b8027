/* SPDX-License-Identifier: BSD-3-Clause */
/* rand and random, which glibc takes from one sequence, and what seeds it (C17 7.22.2, POSIX). */
#include "core/mutex.h"
#include "libc/state.h"

#include <stdlib.h>

enum { TABLE_BYTES = 128, FIRST_SEED = 1 }; /* as glibc begins */

struct generator {
    struct fl_mutex mutex;
    bool begun;
    struct random_data data;
    char table[TABLE_BYTES];
};

static struct generator *lock_generator(void) {
    struct generator *generator = libc_state(UPC_LIBC_RANDOM, sizeof *generator);
    fl_mutex_lock(&generator->mutex);
    if (!generator->begun) {
        initstate_r(FIRST_SEED, generator->table, TABLE_BYTES, &generator->data);
        generator->begun = true;
    }
    return generator;
}

static int32_t next_number(void) {
    struct generator *generator = lock_generator();
    int32_t number = 0;
    (void)random_r(&generator->data, &number);
    fl_mutex_unlock(&generator->mutex);
    return number;
}

static void seed_generator(unsigned seed) {
    struct generator *generator = lock_generator();
    (void)srandom_r(seed, &generator->data);
    fl_mutex_unlock(&generator->mutex);
}

/* Each by itself: a program may define only some of them. */
LIBC_OWN int rand(void) {
    return next_number();
}

LIBC_OWN long random(void) {
    return next_number();
}

LIBC_OWN void srand(unsigned seed) {
    seed_generator(seed);
}

LIBC_OWN void srandom(unsigned seed) {
    seed_generator(seed);
}

/* A table begins with a word that says of which kind it is; `state` comes after it. */
static char *table_of(const struct generator *generator) {
    return (char *)&generator->data.state[-1];
}

LIBC_OWN char *initstate(unsigned seed, char *table, size_t bytes) {
    struct generator *generator = lock_generator();
    char *before = table_of(generator);
    int error = initstate_r(seed, table, bytes, &generator->data);
    fl_mutex_unlock(&generator->mutex);
    return error ? NULL : before;
}

LIBC_OWN char *setstate(char *table) {
    struct generator *generator = lock_generator();
    char *before = table_of(generator);
    int error = setstate_r(table, &generator->data);
    fl_mutex_unlock(&generator->mutex);
    return error ? NULL : before;
}
