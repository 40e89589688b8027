/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops as clang compiles them. Bounds are inclusive, of four types, and brought to 64 bits here:
 * arithmetic is modulo 2^64. A static loop asks once which iterations are the thread's; others ask
 * for piece after piece, in the form of share.h. OpenMP 5.1 §2.11.4, §2.19.9.
 */
#include "omp/kmp.h"
#include "omp/loop.h"
#include "omp/spans.h"

/* ---- schedules ---- */

/* The plain kind of a schedule: without modifiers, and without the offsets of ordered loops
 * (*ordered) and of those that must not be merged. */
static inline uint32_t plain(uint32_t schedule, bool *ordered) {
    schedule &= ~(uint32_t)FL_KMP_MODIFIERS;
    if (FL_UNLIKELY(schedule > FL_KMP_NOT_MERGED)) {
        schedule -= FL_KMP_NOT_MERGED - FL_KMP_FIRST;
    }
    *ordered = schedule > FL_KMP_ORDERED && schedule < FL_KMP_DISTRIBUTE_CHUNKED;
    return *ordered ? schedule - (FL_KMP_ORDERED - FL_KMP_FIRST) : schedule;
}

static uint32_t known_schedule(uint32_t schedule) {
    switch (schedule) {
    case FL_KMP_STATIC:
    case FL_KMP_STATIC_CHUNKED:
    case FL_KMP_STATIC_BALANCED_CHUNKED:
        return FL_OMP_STATIC;
    case FL_KMP_GUIDED:
    case FL_KMP_GUIDED_SIMD:
        return FL_OMP_GUIDED;
    case FL_KMP_RUNTIME:
    case FL_KMP_RUNTIME_SIMD:
        return FL_OMP_RUNTIME;
    case FL_KMP_AUTO:
        return FL_OMP_AUTO;
    default: /* dynamic, and what other compilers have beside it */
        return FL_OMP_DYNAMIC;
    }
}

/* The number of iterations of a loop from `low` to `high`, or 0 if it `is_empty`. */
static inline uint64_t iterations(bool is_empty, uint64_t low, uint64_t high, int64_t step) {
    if (is_empty) {
        return 0;
    }
    if (FL_LIKELY(step == 1)) {
        return high - low + 1;
    }
    return step > 0 ? (high - low) / (uint64_t)step + 1 : (low - high) / (0 - (uint64_t)step) + 1;
}

/* ---- static ---- */

struct bounds {
    uint64_t low, high, stride;
    bool last; /* the sequentially last iteration is among them */
};

/* The part of member `at` of `n`. Where it has none, its low bound is behind its high one. */
static inline void divide(struct bounds *bounds, uint64_t count, uint64_t step, uint64_t n,
                          uint64_t at) {
    uint64_t each = count / n, rest = count % n;
    uint64_t first = each * at + (at < rest ? at : rest), mine = each + (at < rest);
    uint64_t low = bounds->low;
    bounds->stride = count * step;
    bounds->low = low + first * step;
    bounds->high = low + (first + mine - 1) * step;
    bounds->last = mine > 0 && first + mine == count;
}

/* Its first chunk; the others follow at distances of the stride. */
static void divide_chunks(struct bounds *bounds, uint64_t count, uint64_t step, uint64_t chunk,
                          uint64_t n, uint64_t at) {
    chunk = chunk > count ? count : chunk;
    uint64_t chunks = (count - 1) / chunk + 1;
    bounds->stride = chunk * step * n;
    bounds->last = (chunks - 1) % n == at;
    if (at >= chunks) { /* a bound further on could overflow the type */
        bounds->high = bounds->low;
        bounds->low += step;
        return;
    }
    bounds->low += chunk * step * at;
    bounds->high = bounds->low + (chunk - 1) * step;
}

static inline void divide_static(struct bounds *bounds, uint64_t count, int64_t step,
                                 uint32_t schedule, int64_t chunk) {
    struct fl_omp_member *me = fl_omp_self();
    bool ordered;
    schedule = plain(schedule, &ordered);
    uint64_t n = me->size, at = me->number;
    if (FL_UNLIKELY(me->nest.announced)) {
        fl_kmp_doacross_divided(me, count);
    }
    if (schedule == FL_KMP_DISTRIBUTE || schedule == FL_KMP_DISTRIBUTE_CHUNKED) {
        const struct fl_omp_icvs *icvs = &me->task->icvs;
        n = icvs->teams ? icvs->teams : 1;
        at = icvs->team;
    }
    bool chunked = schedule == FL_KMP_STATIC_CHUNKED || schedule == FL_KMP_DISTRIBUTE_CHUNKED ||
                   schedule == FL_KMP_STATIC_BALANCED_CHUNKED;
    if (FL_UNLIKELY(count == 0)) {
        bounds->last = false;
        bounds->stride = (uint64_t)step;
    } else if (chunked && chunk > 0) {
        divide_chunks(bounds, count, (uint64_t)step, (uint64_t)chunk, n, at);
    } else {
        divide(bounds, count, (uint64_t)step, n, at);
    }
}

#define STATIC(name, type, distance)                                                               \
    FL_OMP_API void __kmpc_for_static_init_##name(FL_KMP_CALLER, int32_t schedule, int32_t *last,  \
                                                  type *low, type *high, distance *stride,         \
                                                  distance step, distance chunk) {                 \
        bool is_empty = step > 0 ? *high < *low : *low < *high;                                    \
        struct bounds bounds = {.low = (uint64_t)*low, .high = (uint64_t)*high};                   \
        divide_static(&bounds, iterations(is_empty, bounds.low, bounds.high, step), step,          \
                      (uint32_t)schedule, chunk);                                                  \
        if (last) {                                                                                \
            *last = bounds.last;                                                                   \
        }                                                                                          \
        *low = (type)bounds.low;                                                                   \
        *high = (type)bounds.high;                                                                 \
        *stride = (distance)bounds.stride;                                                         \
    }
STATIC(4, int32_t, int32_t)
STATIC(4u, uint32_t, int32_t)
STATIC(8, int64_t, int64_t)
STATIC(8u, uint64_t, int64_t)

FL_OMP_API void __kmpc_for_static_fini(FL_KMP_CALLER) {
}

/* The part of the team among its league, whose end goes to *team_high, and of that the thread's. */
#define DISTRIBUTE_STATIC(name, type, distance)                                                    \
    FL_OMP_API void __kmpc_dist_for_static_init_##name(                                            \
        FL_KMP_CALLER, int32_t schedule, int32_t *last, type *low, type *high, type *team_high,    \
        distance *stride, distance step, distance chunk) {                                         \
        int32_t last_of_team;                                                                      \
        __kmpc_for_static_init_##name(place, thread, FL_KMP_DISTRIBUTE, &last_of_team, low, high,  \
                                      stride, step, 0);                                            \
        *team_high = *high;                                                                        \
        __kmpc_for_static_init_##name(place, thread, schedule, last, low, high, stride, step,      \
                                      chunk);                                                      \
        if (last) {                                                                                \
            *last = *last && last_of_team;                                                         \
        }                                                                                          \
    }
DISTRIBUTE_STATIC(4, int32_t, int32_t)
DISTRIBUTE_STATIC(4u, uint32_t, int32_t)
DISTRIBUTE_STATIC(8, int64_t, int64_t)
DISTRIBUTE_STATIC(8u, uint64_t, int64_t)

/* ---- all others ---- */

static void begin(uint32_t schedule, uint64_t low, uint64_t count, int64_t step, int64_t chunk) {
    struct fl_omp_member *me = fl_omp_self();
    bool ordered, in_order = !(schedule & FL_KMP_NONMONOTONIC) || me->nest.announced;
    schedule = plain(schedule, &ordered);
    if (FL_UNLIKELY(me->nest.announced)) {
        fl_kmp_doacross_divided(me, count);
    }
    struct fl_omp_loop loop = {.start = low,
                               .end = low + count * (uint64_t)step,
                               .step = (uint64_t)step,
                               .count = count,
                               .schedule = known_schedule(schedule),
                               .in_order = in_order,
                               .ordered = ordered};
    if (schedule != FL_KMP_STATIC && chunk > 0) {
        loop.chunk = (uint64_t)chunk;
    }
    fl_omp_loop_begin(me, loop);
}

/* When no piece is left the member leaves the loop; later calls do nothing. */
#define DISPATCH(name, type, distance)                                                             \
    FL_OMP_API void __kmpc_dispatch_init_##name(FL_KMP_CALLER, int32_t schedule, type low,         \
                                                type high, distance step, distance chunk) {        \
        bool is_empty = step > 0 ? high < low : low < high;                                        \
        uint64_t from = (uint64_t)low;                                                             \
        begin((uint32_t)schedule, from, iterations(is_empty, from, (uint64_t)high, step), step,    \
              chunk);                                                                              \
    }                                                                                              \
    FL_OMP_API int32_t __kmpc_dispatch_next_##name(FL_KMP_CALLER, int32_t *last, type *low,        \
                                                   type *high, distance *stride) {                 \
        struct fl_omp_member *me = fl_omp_me;                                                      \
        uint64_t from, to;                                                                         \
        if (!fl_omp_loop_next(me, &from, &to)) {                                                   \
            fl_omp_share_end(me);                                                                  \
            return 0;                                                                              \
        }                                                                                          \
        *low = (type)from;                                                                         \
        *high = (type)(to - me->loop.step);                                                        \
        if (last) {                                                                                \
            *last = to == me->loop.end;                                                            \
        }                                                                                          \
        if (stride) {                                                                              \
            *stride = (distance)me->loop.step;                                                     \
        }                                                                                          \
        return 1;                                                                                  \
    }                                                                                              \
    FL_OMP_API void __kmpc_dispatch_fini_##name(FL_KMP_CALLER) {                                   \
    }                                                                                              \
    FL_OMP_API void __kmpc_dist_dispatch_init_##name(FL_KMP_CALLER, int32_t schedule,              \
                                                     int32_t *last, type low, type high,           \
                                                     distance step, distance chunk) {              \
        distance stride;                                                                           \
        __kmpc_for_static_init_##name(place, thread, FL_KMP_DISTRIBUTE, last, &low, &high,         \
                                      &stride, step, 0);                                           \
        __kmpc_dispatch_init_##name(place, thread, schedule, low, high, step, chunk);              \
    }
DISPATCH(4, int32_t, int32_t)
DISPATCH(4u, uint32_t, int32_t)
DISPATCH(8, int64_t, int64_t)
DISPATCH(8u, uint64_t, int64_t)

FL_OMP_API void __kmpc_dispatch_deinit(FL_KMP_CALLER) {
}

/* Sections, where the compiler does not make a static loop of them. */
FL_OMP_API int32_t __kmpc_next_section(FL_KMP_CALLER, int32_t count) {
    struct fl_omp_member *me = fl_omp_me;
    uint64_t from, to;
    bool any = fl_omp_loop_next(me, &from, &to);
    if (!any) {
        fl_omp_share_end(me);
    }
    return any ? (int32_t)from : count;
}

FL_OMP_API int32_t __kmpc_sections_init(FL_KMP_CALLER, int32_t count) {
    begin(FL_KMP_DYNAMIC, 0, (uint64_t)count, 1, 1);
    return __kmpc_next_section(place, thread, count);
}

FL_OMP_API void __kmpc_end_sections(FL_KMP_CALLER) {
}

/* ---- ordered ---- */

FL_OMP_API void __kmpc_ordered(FL_KMP_CALLER) {
    struct fl_omp_member *me = fl_omp_self();
    if (me->loop.share) {
        fl_omp_ordered_wait(me);
    }
}

FL_OMP_API void __kmpc_end_ordered(FL_KMP_CALLER) {
    /* The turn goes on with the end of the piece. */
}

/* ---- ordered(n) with depend ---- */

struct dimension {
    int64_t low, end, step;
};

/* The compiler says first what the loops are, and then divides the outermost, or several of them that
 * are collapsed. */
FL_OMP_API void __kmpc_doacross_init(FL_KMP_CALLER, int32_t depth,
                                     const struct dimension *dimensions) {
    struct fl_omp_member *me = fl_omp_self();
    struct fl_omp_nest *nest = &me->nest;
    uint64_t counts[FL_OMP_NEST];
    for (int32_t i = 0; i < depth && i < FL_OMP_NEST; i++) {
        const struct dimension *d = &dimensions[i]; /* which does not include its end */
        counts[i] = (uint64_t)((d->end - d->low) / d->step);
        nest->starts[i] = (uint64_t)d->low;
        nest->steps[i] = (uint64_t)d->step;
    }
    fl_omp_nest_begin(me, (unsigned)depth, counts);
    nest->announced = true;
}

void fl_kmp_doacross_divided(struct fl_omp_member *me, uint64_t count) {
    struct fl_omp_nest *nest = &me->nest;
    uint64_t outer = nest->counts[0];
    unsigned merged = 1;
    while (outer != count && merged < nest->depth) {
        outer *= nest->counts[merged++];
    }
    nest->announced = false;
    fl_omp_nest_divided(me, merged);
}

/* Computes the iteration from the program's numbers, each a multiple of its step from the start. */
static void count_iterations(const struct fl_omp_nest *nest, const int64_t *numbers,
                             uint64_t *iteration) {
    for (unsigned i = 0; i < nest->depth; i++) {
        uint64_t distance = (uint64_t)numbers[i] - nest->starts[i];
        iteration[i] = (uint64_t)((int64_t)distance / (int64_t)nest->steps[i]);
    }
}

FL_OMP_API void __kmpc_doacross_post(FL_KMP_CALLER, const int64_t *numbers) {
    struct fl_omp_member *me = fl_omp_self();
    uint64_t iteration[FL_OMP_NEST];
    count_iterations(&me->nest, numbers, iteration);
    fl_omp_nest_post(me, iteration);
}

/* Iterations outside of the nest are not waited for. */
FL_OMP_API void __kmpc_doacross_wait(FL_KMP_CALLER, const int64_t *numbers) {
    struct fl_omp_member *me = fl_omp_self();
    uint64_t iteration[FL_OMP_NEST];
    count_iterations(&me->nest, numbers, iteration);
    for (unsigned i = 0; i < me->nest.depth; i++) {
        if (iteration[i] >= me->nest.counts[i]) {
            return;
        }
    }
    fl_omp_nest_wait(me, iteration);
}

FL_OMP_API void __kmpc_doacross_fini(FL_KMP_CALLER) {
    fl_omp_nest_end(fl_omp_self());
}
