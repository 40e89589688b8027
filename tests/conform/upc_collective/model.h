// SPDX-License-Identifier: BSD-3-Clause
// Shared memory beside a model of it: each thread has an area, and each thread models all areas as
// a sequential program would leave them. Knows who may access what without a barrier between.
#ifndef FURLONG_TESTS_COLLECTIVE_MODEL_H
#define FURLONG_TESTS_COLLECTIVE_MODEL_H

#include "sync.h"
#include <time.h>

enum { MOST_BLOCK = 61, HEAD = 64, MOST_RANGES = 3, MOST_ACCESSES = 32 };

static size_t area;                   // bytes of a thread
static shared unsigned char *memory;  // begins the areas
static unsigned char *model;          // [THREADS][area]
static unsigned char *seen;           // [area]: what memory held when the thread looked

static shared [] unsigned char *place(size_t thread, size_t at)
{
    return (shared [] unsigned char *)&memory[thread] + at;
}

static unsigned char *modelled(size_t thread, size_t at)
{
    return &model[thread * area + at];
}

// The same bytes of each thread's area.
struct range {
    size_t at, n;
};

// How much a call waits for, and so, how much the next access need not: what is called with
// UPC_OUT_x may be followed by a call with UPC_IN_y on the same data if x and y are together at
// least ALL, for then the data is complete before it is touched again.
enum level { NO, MY, ALL };

// A call; or what the threads do between calls, each in the area of another, `shift` further: in
// its own it may do what calls with MY may, in another thread's what calls with NO may.
struct access {
    struct range ranges[MOST_RANGES];
    enum level in, out;
    size_t shift;
};

static struct access accesses[MOST_ACCESSES]; // since the last barrier
static size_t n_accesses;

static int overlap(const struct access *a, const struct access *b)
{
    for (int i = 0; i < MOST_RANGES; i++)
        for (int k = 0; k < MOST_RANGES; k++) {
            struct range r = a->ranges[i], s = b->ranges[k];
            if (r.at < s.at + s.n && s.at < r.at + r.n)
                return 1;
        }
    return 0;
}

static int is_ordered(const struct access *a, const struct access *b)
{
    int by_one_thread = a->shift > 0 && a->shift == b->shift;
    return by_one_thread || a->out + b->in >= ALL || !overlap(a, b);
}

// Comes before the access: meets at a barrier where the access needs one.
static void order(struct access b)
{
    int ordered = n_accesses < MOST_ACCESSES;
    for (size_t i = 0; i < n_accesses; i++)
        ordered &= is_ordered(&accesses[i], &b);
    if (!ordered) {
        upc_barrier;
        n_accesses = 0;
    }
    accesses[n_accesses++] = b;
}

// Puts ranges of `n` bytes at random places, often close to each other, in any order, one after
// another. The sum of their bytes, rounded up to 16 each, must fit between HEAD and the end.
static void lay_out(struct range *ranges, size_t count, size_t align)
{
    size_t room = area - HEAD, at = HEAD, first = pick(count);
    for (size_t i = 0; i < count; i++)
        room -= (ranges[i].n + 15) & ~(size_t)15;
    for (size_t i = 0; i < count; i++) {
        struct range *range = &ranges[(first + i) % count];
        size_t gap = pick(2) ? 0 : pick((pick(2) ? room : room % 64) + 1) & ~(align - 1);
        range->at = (at + gap + align - 1) & ~(align - 1);
        room -= gap;
        at = range->at + range->n;
    }
}

// A number from 1 to `most`, of any magnitude.
static size_t pick_size(size_t most)
{
    size_t limit = (size_t)2 << pick(8 * sizeof most - (size_t)__builtin_clzl(most));
    return 1 + pick(limit < most ? limit : most);
}

static void randomise(unsigned char *bytes, size_t n, unsigned long key)
{
    unsigned long state = key * 0x9E3779B97F4A7C15ul | 1;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(random_step(&state) >> 24);
}

// New contents for the model's range, the same in all threads.
static void renew(struct range range)
{
    unsigned long key = random_step(&random_state);
    for (size_t t = 0; t < THREADS; t++)
        randomise(modelled(t, range.at), range.n, key + t);
}

// Arrive late, at times.
static void dawdle(void)
{
    unsigned long r = random_step(&random_own) >> 8;
    struct timespec pause = {0, (long)(r % 300000)};
    if (r % 16 == 0)
        nanosleep(&pause, NULL);
    for (unsigned long i = r % 4 ? 0 : r / 4 % 16; i > 0; i--)
        sched_yield();
}

#endif
