/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rand and random, which musl takes from two sequences, and what seeds them (C17 7.22.2, POSIX): with
 * musl's numbers. rand is a congruential generator of 64 bits; random adds two earlier numbers of a
 * table (Knuth, The Art of Computer Programming 2, 3.2.2), whose first word says how far it has come.
 */
#include "core/mutex.h"
#include "libc/state.h"

#include <stdlib.h>

enum { WORDS = 32, FIRST_SEED = 1 };

static const uint64_t multiplier = 6364136223846793005u;

struct generator {
    struct fl_mutex mutex;
    uint64_t of_rand;
    uint32_t *table, own[WORDS]; /* null: random has not begun */
    unsigned n, front, back;     /* of the numbers behind the table's first word */
};

static void save_position(struct generator *generator) {
    generator->table[0] = generator->n << 16 | generator->front << 8 | generator->back;
}

static void load_position(struct generator *generator, uint32_t *table) {
    generator->table = table;
    generator->n = table[0] >> 16;
    generator->front = table[0] >> 8 & 0xff;
    generator->back = table[0] & 0xff;
}

static void fill(struct generator *generator, unsigned seed) {
    uint32_t *numbers = generator->table + 1;
    uint64_t rest = seed;
    numbers[0] = seed;
    generator->front = generator->n == 31 || generator->n == 7 ? 3 : 1;
    generator->back = 0;
    for (unsigned i = 0; i < generator->n; i++) {
        rest = multiplier * rest + 1;
        numbers[i] = (uint32_t)(rest >> 32);
    }
    numbers[0] |= generator->n > 0; /* not all are even */
}

static struct generator *lock_generator(void) {
    struct generator *generator = libc_state(UPC_LIBC_RANDOM, sizeof *generator);
    fl_mutex_lock(&generator->mutex);
    if (!generator->table) {
        generator->table = generator->own;
        generator->n = WORDS - 1;
        fill(generator, FIRST_SEED);
    }
    return generator;
}

static uint32_t next_number(struct generator *generator) {
    uint32_t *numbers = generator->table + 1;
    if (generator->n == 0) {
        return numbers[0] = (1103515245 * numbers[0] + 12345) & 0x7fffffff;
    }
    uint32_t number = numbers[generator->front] += numbers[generator->back];
    generator->front = (generator->front + 1) % generator->n;
    generator->back = (generator->back + 1) % generator->n;
    return number >> 1;
}

/* Each by itself: a program may define only some of them. */
LIBC_OWN int rand(void) {
    struct generator *generator = lock_generator();
    generator->of_rand = multiplier * generator->of_rand + 1;
    int number = (int)(generator->of_rand >> 33);
    fl_mutex_unlock(&generator->mutex);
    return number;
}

LIBC_OWN void srand(unsigned seed) {
    struct generator *generator = lock_generator();
    generator->of_rand = seed - 1;
    fl_mutex_unlock(&generator->mutex);
}

LIBC_OWN long random(void) {
    struct generator *generator = lock_generator();
    long number = next_number(generator);
    fl_mutex_unlock(&generator->mutex);
    return number;
}

LIBC_OWN void srandom(unsigned seed) {
    struct generator *generator = lock_generator();
    fill(generator, seed);
    fl_mutex_unlock(&generator->mutex);
}

/* How many numbers a table of so many bytes has. */
static unsigned numbers_in(size_t bytes) {
    return bytes < 32 ? 0 : bytes < 64 ? 7 : bytes < 128 ? 15 : bytes < 256 ? 31 : 63;
}

LIBC_OWN char *initstate(unsigned seed, char *table, size_t bytes) {
    if (bytes < 2 * sizeof(uint32_t)) {
        return NULL;
    }
    struct generator *generator = lock_generator();
    save_position(generator);
    uint32_t *before = generator->table;
    generator->table = (void *)table;
    generator->n = numbers_in(bytes);
    fill(generator, seed);
    save_position(generator);
    fl_mutex_unlock(&generator->mutex);
    return (char *)before;
}

LIBC_OWN char *setstate(char *table) {
    struct generator *generator = lock_generator();
    save_position(generator);
    uint32_t *before = generator->table;
    load_position(generator, (void *)table);
    fl_mutex_unlock(&generator->mutex);
    return (char *)before;
}
