/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over `long`, and how all loops begin and end. What compiled code calls for one that is not
 * divided inline: NAME_start with all its numbers, NAME_next for each further piece, and an end.
 * OpenMP 5.1 §2.11.4.
 */
#include "omp/loop.h"

#include "omp/barrier.h"

/* ---- the common form ---- */

static uint64_t iterations(bool up, uint64_t start, uint64_t end, uint64_t step) {
    uint64_t distance = up ? end - start : start - end;
    uint64_t stride = up ? step : 0 - step;
    return distance == 0 ? 0 : (distance - 1) / stride + 1;
}

struct fl_omp_loop fl_omp_loop_make(bool up, uint64_t start, uint64_t end, uint64_t step,
                                    uint32_t schedule, uint64_t chunk) {
    return (struct fl_omp_loop){.start = start,
                                .end = end,
                                .step = step,
                                .count = iterations(up, start, end, step),
                                .schedule = schedule & ~FL_OMP_MONOTONIC,
                                .chunk = chunk};
}

/* What schedule(runtime) means now; and a chunk that is one. */
static void settle(const struct fl_omp_member *me, struct fl_omp_loop *loop) {
    if (loop->schedule == FL_OMP_RUNTIME) {
        loop->schedule = me->task->icvs.schedule & ~FL_OMP_MONOTONIC;
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

bool fl_omp_loop_next(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    if (FL_UNLIKELY(loop->ordered)) {
        fl_omp_ordered_pass(me);
    }
    uint64_t first, end;
    if (!fl_omp_share_take(me, &first, &end)) {
        return false;
    }
    if (FL_UNLIKELY(loop->ordered)) {
        loop->from = first;
        loop->to = end;
    }
    *from = loop->start + first * loop->step;
    /* Not beyond the end, which may be the largest number. */
    *to = end == loop->count ? loop->end : loop->start + end * loop->step;
    return true;
}

/* ---- over `long` ---- */

/* Modulo 2^64, as all arithmetic of loops. */
static struct fl_omp_loop make(long start, long end, long step, uint32_t schedule, long chunk) {
    bool up = step > 0;
    if (up ? start >= end : start <= end) {
        end = start;
    }
    return fl_omp_loop_make(up, (uint64_t)start, (uint64_t)end, (uint64_t)step, schedule,
                            chunk > 0 ? (uint64_t)chunk : 0);
}

static bool next(struct fl_omp_member *me, long *from_p, long *to_p) {
    uint64_t from, to;
    if (!fl_omp_loop_next(me, &from, &to)) {
        return false;
    }
    *from_p = (long)from;
    *to_p = (long)to;
    return true;
}

static bool start_loop(long start, long end, long step, uint32_t schedule, long chunk, bool ordered,
                       long *from, long *to) {
    struct fl_omp_member *me = fl_omp_self();
    struct fl_omp_loop loop = make(start, end, step, schedule, chunk);
    loop.ordered = ordered;
    fl_omp_loop_begin(me, loop);
    return next(me, from, to);
}

#define START(name, schedule, ordered)                                                             \
    FL_OMP_API bool GOMP_loop_##name##_start(long start, long end, long step, long chunk,          \
                                             long *from, long *to) {                               \
        return start_loop(start, end, step, schedule, chunk, ordered, from, to);                   \
    }
#define START_RUNTIME(name, ordered)                                                               \
    FL_OMP_API bool GOMP_loop_##name##_start(long start, long end, long step, long *from,          \
                                             long *to) {                                           \
        return start_loop(start, end, step, FL_OMP_RUNTIME, 0, ordered, from, to);                 \
    }
START(static, FL_OMP_STATIC, false)
START(dynamic, FL_OMP_DYNAMIC, false)
START(guided, FL_OMP_GUIDED, false)
START(nonmonotonic_dynamic, FL_OMP_DYNAMIC, false)
START(nonmonotonic_guided, FL_OMP_GUIDED, false)
START(ordered_static, FL_OMP_STATIC, true)
START(ordered_dynamic, FL_OMP_DYNAMIC, true)
START(ordered_guided, FL_OMP_GUIDED, true)
START_RUNTIME(runtime, false)
START_RUNTIME(nonmonotonic_runtime, false)
START_RUNTIME(maybe_nonmonotonic_runtime, false)
START_RUNTIME(ordered_runtime, true)

/* The member knows what loop it is in. */
#define NEXT(name)                                                                                 \
    FL_OMP_API bool GOMP_loop_##name##_next(long *from, long *to) {                                \
        return next(fl_omp_me, from, to);                                                          \
    }
NEXT(static)
NEXT(dynamic)
NEXT(guided)
NEXT(runtime)
NEXT(nonmonotonic_dynamic)
NEXT(nonmonotonic_guided)
NEXT(nonmonotonic_runtime)
NEXT(maybe_nonmonotonic_runtime)
NEXT(ordered_static)
NEXT(ordered_dynamic)
NEXT(ordered_guided)
NEXT(ordered_runtime)

/* ---- the end ---- */

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

/* ---- regions that are one loop ---- */

static void region(void (*body)(void *), void *data, unsigned threads, struct fl_omp_loop loop,
                   unsigned flags) {
    settle(fl_omp_self(), &loop);
    fl_omp_region(body, data, threads, flags, &loop);
}

#define PARALLEL(name, schedule)                                                                   \
    FL_OMP_API void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads,  \
                                              long start, long end, long step, long chunk,         \
                                              unsigned flags) {                                    \
        region(body, data, threads, make(start, end, step, schedule, chunk), flags);               \
    }
#define PARALLEL_RUNTIME(name)                                                                     \
    FL_OMP_API void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads,  \
                                              long start, long end, long step, unsigned flags) {   \
        region(body, data, threads, make(start, end, step, FL_OMP_RUNTIME, 0), flags);             \
    }
PARALLEL(static, FL_OMP_STATIC)
PARALLEL(dynamic, FL_OMP_DYNAMIC)
PARALLEL(guided, FL_OMP_GUIDED)
PARALLEL(nonmonotonic_dynamic, FL_OMP_DYNAMIC)
PARALLEL(nonmonotonic_guided, FL_OMP_GUIDED)
PARALLEL_RUNTIME(runtime)
PARALLEL_RUNTIME(nonmonotonic_runtime)
PARALLEL_RUNTIME(maybe_nonmonotonic_runtime)
