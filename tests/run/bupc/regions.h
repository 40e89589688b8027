// SPDX-License-Identifier: BSD-3-Clause
// Random regions in memory of other threads and in private memory, and a plain loop that says what
// a transfer between them must do.
#ifndef FURLONG_TESTS_REGIONS_H
#define FURLONG_TESTS_REGIONS_H

#include "../../check.h"

#define SPACE 4000
#define PIECES 40

shared [] unsigned char *shared source_of[THREADS], *shared target_of[THREADS];
static unsigned char private_source[SPACE], private_target[SPACE];
static unsigned char model_source[SPACE], model_target[SPACE];
static shared [] unsigned char *source, *target; // in the memory of others
static unsigned random_state;

static inline int below(int n)
{
    random_state = random_state * 1103515245u + 12345u;
    return n <= 1 ? 0 : (int)(random_state >> 8) % n;
}

struct piece {
    int at, len;
};

static inline void regions_start(void)
{
    random_state = 17u + (unsigned)MYTHREAD * 101u;
    source_of[MYTHREAD] = upc_alloc(SPACE);
    target_of[MYTHREAD] = upc_alloc(SPACE);
    upc_barrier;
    source = source_of[(MYTHREAD + 1) % THREADS];
    target = target_of[(MYTHREAD + THREADS - 1) % THREADS];
    for (int i = 0; i < SPACE; i++) {
        source[i] = private_source[i] = model_source[i] =
            (unsigned char)(i * 13 + i / 256 + MYTHREAD * 5);
    }
    upc_barrier;
}

static inline void before_transfer(void)
{
    upc_memset(target, 0xee, SPACE);
    memset(private_target, 0xee, SPACE);
    memset(model_target, 0xee, SPACE);
}

// Applies the pieces to the model: byte after byte, as many as both lists have.
static inline void apply(const struct piece *dst, int n_dst, const struct piece *src, int n_src)
{
    int to = 0, from = 0, in_to = 0, in_from = 0;
    while (to < n_dst && from < n_src) {
        if (in_to == dst[to].len) {
            to++, in_to = 0;
        } else if (in_from == src[from].len) {
            from++, in_from = 0;
        } else {
            model_target[dst[to].at + in_to++] = model_source[src[from].at + in_from++];
        }
    }
}

static inline void after_transfer(int is_private)
{
    for (int i = 0; i < SPACE; i++) {
        CHECK_EQ(is_private ? private_target[i] : target[i], model_target[i]);
        CHECK_EQ(is_private ? target[i] : private_target[i], 0xee);
    }
}

// Cuts `total` into at most PIECES lengths, some of them 0, and returns their number.
static inline int cut(int total, struct piece *pieces)
{
    int n = 0;
    while (n < PIECES - 1 && (total > 0 || below(3) == 0)) {
        pieces[n].len = below(4) ? below(total + 1) : below(total < 9 ? total + 1 : 9);
        total -= pieces[n++].len;
    }
    pieces[n++].len = total;
    return n;
}

// Gives the pieces places that do not overlap, in an order that is not theirs.
static inline void place(struct piece *pieces, int n)
{
    int order[PIECES], at = below(20);
    for (int i = 0; i < n; i++) {
        int k = below(i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < n; i++) {
        pieces[order[i]].at = at;
        at += pieces[order[i]].len + below(2) * below(30);
    }
}

static inline void place_anywhere(struct piece *pieces, int n)
{
    for (int i = 0; i < n; i++)
        pieces[i].at = below(SPACE - pieces[i].len);
}

#endif
