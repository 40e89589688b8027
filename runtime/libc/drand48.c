/* SPDX-License-Identifier: BSD-3-Clause */
/* drand48 and its family (POSIX): x = a * x + c, of 48 bits, which are kept in words of 16, the lowest
 * first. */
#include "core/mutex.h"
#include "libc/state.h"

#include <stdlib.h>
#include <string.h>

struct generator {
    struct fl_mutex mutex;
    bool begun;
    unsigned short x[3], before[3]; /* before: what seed48 returns */
    uint64_t a, c;
};

static void reset_factors(struct generator *generator) {
    generator->a = 0x5deece66d;
    generator->c = 0xb;
}

static struct generator *lock_generator(void) {
    struct generator *generator = libc_state(UPC_LIBC_DRAND48, sizeof *generator);
    fl_mutex_lock(&generator->mutex);
    if (!generator->begun) {
        reset_factors(generator);
        generator->begun = true;
    }
    return generator;
}

static uint64_t number_of(const unsigned short words[3]) {
    return (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
}

static uint64_t step(const struct generator *generator, unsigned short words[3]) {
    uint64_t number = (generator->a * number_of(words) + generator->c) & 0xffffffffffff;
    words[0] = (unsigned short)number;
    words[1] = (unsigned short)(number >> 16);
    words[2] = (unsigned short)(number >> 32);
    return number;
}

/* The next number of the sequence, or of the one that the caller keeps; null: the caller's state. */
static uint64_t next_number(unsigned short words[3]) {
    struct generator *generator = lock_generator();
    uint64_t number = step(generator, words ? words : generator->x);
    fl_mutex_unlock(&generator->mutex);
    return number;
}

static double fraction(uint64_t number) {
    return (double)number * 0x1p-48;
}

static long upper_31_bits(uint64_t number) {
    return (long)(number >> 17);
}

static long upper_32_bits(uint64_t number) {
    return (int32_t)(uint32_t)(number >> 16);
}

#define NEXT(type, name, own_name, part)                                                           \
    LIBC_OWN type name(void) {                                                                     \
        return part(next_number(NULL));                                                            \
    }                                                                                              \
    LIBC_OWN type own_name(unsigned short numbers[3]) {                                            \
        return part(next_number(numbers));                                                         \
    }

NEXT(double, drand48, erand48, fraction)
NEXT(long, lrand48, nrand48, upper_31_bits)
NEXT(long, mrand48, jrand48, upper_32_bits)

LIBC_OWN void srand48(long seed) {
    struct generator *generator = lock_generator();
    reset_factors(generator);
    generator->x[0] = 0x330e;
    generator->x[1] = (unsigned short)seed;
    generator->x[2] = (unsigned short)(seed >> 16);
    fl_mutex_unlock(&generator->mutex);
}

LIBC_OWN unsigned short *seed48(unsigned short seed[3]) {
    struct generator *generator = lock_generator();
    reset_factors(generator);
    memcpy(generator->before, generator->x, sizeof generator->before);
    memcpy(generator->x, seed, sizeof generator->x);
    fl_mutex_unlock(&generator->mutex);
    return generator->before;
}

LIBC_OWN void lcong48(unsigned short parameters[7]) {
    struct generator *generator = lock_generator();
    memcpy(generator->x, parameters, sizeof generator->x);
    generator->a = number_of(parameters + 3);
    generator->c = parameters[6];
    fl_mutex_unlock(&generator->mutex);
}
