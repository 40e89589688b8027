/* SPDX-License-Identifier: BSD-3-Clause */
/* See clock.h. All atomics are relaxed: the operation that they are about orders them as well. */
#include "check/clock.h"

#include "check/lines.h"
#include "check/shadow.h"
#include "core/fatal.h"

#include <stdlib.h>

static void set_word(void) {
    check_self.word = (uint64_t)check_self.me << CHECK_THREAD_SHIFT |
                      (uint64_t)check_self.clocks[check_self.me] << CHECK_CLOCK_SHIFT;
}

void check_clock_start(unsigned me, unsigned threads) {
    check_self.me = me;
    check_self.threads = threads;
    check_self.clocks = FL_ALLOCATED(calloc(threads, sizeof *check_self.clocks), "upcc -check");
    check_self.signalled = FL_ALLOCATED(calloc(threads, sizeof(uint32_t)), "upcc -check");
    check_self.awaited = FL_ALLOCATED(calloc(threads, sizeof(uint32_t)), "upcc -check");
    check_self.clocks[me] = 1;
    set_word();
}

static _Atomic uint32_t *clock_of(uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u >> 40;
    return check_memory.sync + hash % CHECK_SYNC_OBJECTS * check_self.threads;
}

static void raise_to(_Atomic uint32_t *clock, uint32_t value) {
    uint32_t old = atomic_load_explicit(clock, memory_order_relaxed);
    while (old < value && !atomic_compare_exchange_weak_explicit(
                              clock, &old, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void take(uint32_t *mine, const _Atomic uint32_t *from, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        uint32_t theirs = atomic_load_explicit(&from[i], memory_order_relaxed);
        mine[i] = theirs > mine[i] ? theirs : mine[i];
    }
}

void check_release(uint64_t key) {
    check_lines_record();
    _Atomic uint32_t *clock = clock_of(key);
    for (unsigned i = 0; i < check_self.threads; i++) {
        raise_to(&clock[i], check_self.clocks[i]);
    }
    check_self.has_released = true;
}

void check_acquire(uint64_t key) {
    check_lines_record();
    take(check_self.clocks, clock_of(key), check_self.threads);
}

enum { WORD = 4 };

void check_release_memory(uint64_t address, uint64_t bytes) {
    for (uint64_t word = address / WORD * WORD; word < address + bytes; word += WORD) {
        check_release(word);
    }
}

void check_acquire_memory(uint64_t address, uint64_t bytes) {
    for (uint64_t word = address / WORD * WORD; word < address + bytes; word += WORD) {
        check_acquire(word);
    }
}

static _Atomic uint32_t *barrier_clock(void) {
    return check_memory.barrier + check_self.phase % CHECK_PHASES * check_self.threads;
}

/* Each leaves its own clock: what it knows of others is no more than what they leave. */
void check_barrier_release(void) {
    check_lines_record();
    atomic_store_explicit(&barrier_clock()[check_self.me], check_self.clocks[check_self.me],
                          memory_order_relaxed);
    check_self.has_released = true;
}

void check_barrier_acquire(void) {
    check_lines_record();
    take(check_self.clocks, barrier_clock(), check_self.threads);
    check_self.phase++;
}

/* What the thread does from now on comes after what others have learned of it. */
void check_tick(void) {
    if (check_self.atomic_of_c) {
        check_acquire_memory(check_self.atomic_of_c, 1);
    }
    check_self.atomic_of_c = 0;
    check_self.has_released = false;
    if (check_self.clocks[check_self.me] < CHECK_OPEN - 1) {
        check_self.clocks[check_self.me]++;
        set_word();
    }
}
