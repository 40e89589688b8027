// SPDX-License-Identifier: BSD-3-Clause
// A trial of a function that moves blocks: areas of bytes on each thread, a function's effect as
// the threads expect it, and a comparison of every byte, so that nothing else is touched.
#ifndef FURLONG_TESTS_COLLECTIVE_BLOCKS_H
#define FURLONG_TESTS_COLLECTIVE_BLOCKS_H

#include "sync.h"

enum { AREA = 2048, UNTOUCHED = 0xEE };
static shared [AREA] unsigned char src_area[AREA * THREADS], dst_area[AREA * THREADS];
static unsigned char expected[AREA];

static unsigned char pattern(int trial, size_t thread, size_t i)
{
    return (unsigned char)((thread * 37 + i * 7 + (size_t)trial * 11) % 199);
}

static void fill(int trial)
{
    unsigned char *src = (unsigned char *)&src_area[AREA * MYTHREAD];
    for (size_t i = 0; i < AREA; i++)
        src[i] = pattern(trial, MYTHREAD, i);
    memset((unsigned char *)&dst_area[AREA * MYTHREAD], UNTOUCHED, AREA);
}

// `n` bytes at `at` of an area come from `from` of a thread's source.
static void expect(int trial, size_t at, size_t thread, size_t from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expected[at + i] = pattern(trial, thread, from + i);
}

static void compare(int trial, size_t thread)
{
    for (size_t i = 0; i < AREA; i++) {
        if (dst_area[AREA * thread + i] != expected[i]) {
            printf("trial %d: byte %zu of thread %zu is %d, not %d\n", trial, i, thread,
                   dst_area[AREA * thread + i], expected[i]);
            check_failures++;
            return;
        }
    }
}

// A function, where its operands are, and what it shall do to one thread's area.
static void call(size_t dst, size_t src, size_t n, upc_flag_t flags);
static void model(int trial, size_t thread, size_t dst, size_t src, size_t n);

static void expect_at(int trial, size_t thread, size_t dst, size_t src, size_t n)
{
    memset(expected, UNTOUCHED, AREA);
    model(trial, thread, dst, src, n);
    compare(trial, thread);
}

// `dst` and `src` are offsets in the areas as a whole: within thread 0's where they have to be.
static void attempt(int trial, size_t dst, size_t src, size_t n)
{
    upc_flag_t flags = flags_of(trial);
    fill(trial);
    before_call(flags);
    call(dst, src, n, flags);
    after_call(flags);
    expect_at(trial, MYTHREAD, dst, src, n);
    if (all_is_done(flags)) {
        expect_at(trial, (MYTHREAD + 1) % THREADS, dst, src, n);
        upc_barrier;
    }
}

// Most bytes for which `blocks` of them fit behind any offset that attempts use.
static size_t most(size_t blocks)
{
    return (AREA - 64) / blocks;
}

#endif
