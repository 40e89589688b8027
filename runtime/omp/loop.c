/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops in the common form, and how they end. What compiled code calls for one that is not divided
 * inline: NAME_start with all its numbers (loop_long.c, loop_ull.c), NAME_next for each further
 * piece, and an end. OpenMP 5.1 §2.11.4.
 */
#include "omp/loop.h"

#include "omp/barrier.h"

enum { HOLD_BACK = 64 }; /* yields, at most, before a piece */

static uint64_t iterations(bool up, uint64_t start, uint64_t end, uint64_t step) {
    uint64_t distance = up ? end - start : start - end;
    uint64_t stride = up ? step : 0 - step;
    if (FL_LIKELY(stride == 1)) {
        return distance; /* without a division, which would take longer than all else here */
    }
    return distance == 0 ? 0 : (distance - 1) / stride + 1;
}

struct fl_omp_loop fl_omp_loop_make(bool up, uint64_t start, uint64_t end, uint64_t step,
                                    uint32_t schedule, uint64_t chunk) {
    return (struct fl_omp_loop){.start = start,
                                .end = end,
                                .step = step,
                                .count = iterations(up, start, end, step),
                                .schedule = schedule & ~FL_OMP_MONOTONIC,
                                .in_order = schedule & FL_OMP_MONOTONIC,
                                .chunk = chunk};
}

/* Resolves schedule(runtime) and auto, and a chunk that is 0 or larger than the loop. */
static void settle(const struct fl_omp_member *me, struct fl_omp_loop *loop) {
    if (loop->schedule == FL_OMP_RUNTIME) {
        loop->schedule = me->task->icvs.schedule & ~FL_OMP_MONOTONIC;
        loop->in_order |= (me->task->icvs.schedule & FL_OMP_MONOTONIC) != 0;
        loop->chunk = (uint64_t)me->task->icvs.chunk;
    }
    if (loop->schedule == FL_OMP_AUTO) {
        loop->schedule = FL_OMP_STATIC;
        loop->chunk = 0;
    }
    if (loop->schedule != FL_OMP_STATIC && loop->chunk == 0) {
        loop->chunk = 1;
    }
    if (loop->chunk > loop->count) {
        loop->chunk = loop->count;
    }
}

void fl_omp_loop_begin(struct fl_omp_member *me, struct fl_omp_loop loop) {
    settle(me, &loop);
    me->loop = loop;
    fl_omp_share_begin(me);
}

void fl_omp_loop_extras(struct fl_omp_member *me, uintptr_t *reductions, void **memory) {
    if (reductions) {
        fl_omp_reductions_begin(me, reductions);
    }
    if (memory) {
        *memory = fl_omp_share_memory(me, FL_OMP_MEMORY_PROGRAM, (size_t)*(uintptr_t *)memory);
    }
}

/* Of an ordered loop: whether pieces for all CPUs are under way. Relaxed: a hint. */
static bool is_crowded(const struct fl_omp_loop *loop) {
    uint64_t turn = atomic_load_explicit(&loop->share->turn, memory_order_relaxed);
    uint64_t taken = atomic_load_explicit(&loop->share->taken, memory_order_relaxed);
    return taken < loop->count && taken - turn >= loop->chunk * fl_omp_program.cpus;
}

static FL_COLD void hold_back(const struct fl_omp_loop *loop) {
    for (unsigned i = 0; i < HOLD_BACK && is_crowded(loop); i++) {
        fl_os_yield();
    }
}

bool fl_omp_loop_next_any(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    if (!loop->ordered) {
        return fl_omp_share_take(me, from, to);
    }
    fl_omp_ordered_pass(me);
    if (FL_UNLIKELY(fl_omp_loop_holds_back(me))) {
        hold_back(loop);
    }
    bool any = fl_omp_share_take(me, from, to);
    if (any) {
        loop->from = *from;
        loop->to = *to;
    }
    return any;
}

/* ---- the end, of sections too ---- */

FL_OMP_API void GOMP_loop_end(void) {
    struct fl_omp_member *me = fl_omp_me;
    fl_omp_share_end(me);
    fl_omp_barrier(me);
}

FL_OMP_API bool GOMP_loop_end_cancel(void) {
    struct fl_omp_member *me = fl_omp_me;
    fl_omp_share_end(me);
    return fl_omp_barrier_cancel(me);
}

FL_OMP_API void GOMP_loop_end_nowait(void) {
    fl_omp_share_end(fl_omp_me);
}

FL_OMP_ALIAS(void, GOMP_sections_end, (void), GOMP_loop_end);
FL_OMP_ALIAS(bool, GOMP_sections_end_cancel, (void), GOMP_loop_end_cancel);
FL_OMP_ALIAS(void, GOMP_sections_end_nowait, (void), GOMP_loop_end_nowait);

/* ---- regions that are one loop ---- */

void fl_omp_loop_region(void (*body)(void *), void *data, unsigned threads, struct fl_omp_loop loop,
                        unsigned flags) {
    settle(fl_omp_self(), &loop);
    fl_omp_region(&(struct fl_omp_region){body, data, threads, flags, &loop, false, NULL});
}

void fl_omp_loop_region_begin(void (*body)(void *), void *data, unsigned threads,
                              struct fl_omp_loop loop) {
    settle(fl_omp_self(), &loop);
    fl_omp_region_begin(&(struct fl_omp_region){body, data, threads, 0, &loop, false, NULL});
}
