/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over `long`: the entries that compiled code calls. See loop.h. */
#include "omp/loop.h"

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
    if (!from_p) {
        return true; /* the caller divides the loop itself */
    }
    if (!fl_omp_loop_next(me, &from, &to)) {
        return false;
    }
    *from_p = (long)from;
    *to_p = (long)to;
    return true;
}

static bool start_loop(struct fl_omp_loop loop, bool ordered, long *from, long *to,
                       uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    loop.ordered = ordered;
    fl_omp_loop_begin(me, loop);
    fl_omp_loop_extras(me, reductions, memory);
    return next(me, from, to);
}

#define START(name, schedule, ordered)                                                             \
    FL_OMP_API bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long *from,\
                                             long *to) {                                           \
        return start_loop(make(start, end, step, schedule, chunk), ordered, from, to, NULL, NULL); \
    }
#define START_RUNTIME(name, ordered)                                                               \
    FL_OMP_API bool GOMP_loop_##name##_start(long start, long end, long step, long *from, long *to) {\
        return start_loop(make(start, end, step, FL_OMP_RUNTIME, 0), ordered, from, to, NULL, NULL);\
    }
#define START_ANY(name, ordered)                                                                   \
    FL_OMP_API bool GOMP_loop_##name(long start, long end, long step, long schedule, long chunk,   \
                                     long *from, long *to, uintptr_t *reductions, void **memory) { \
        return start_loop(make(start, end, step, (uint32_t)schedule, chunk), ordered, from, to,    \
                          reductions, memory);                                                     \
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
START_ANY(start, false)
START_ANY(ordered_start, true)

/* The member knows what loop it is in. */
#define NEXT(name)                                                                                 \
    FL_OMP_API bool GOMP_loop_##name##_next(long *from, long *to) {                                \
        return next(fl_omp_me, from, to);                                                          \
    }
NEXT(static)
NEXT(dynamic)
NEXT(guided)
NEXT(nonmonotonic_dynamic)
NEXT(nonmonotonic_guided)
NEXT(ordered_static)
NEXT(ordered_dynamic)
NEXT(ordered_guided)
NEXT(runtime)
NEXT(nonmonotonic_runtime)
NEXT(maybe_nonmonotonic_runtime)
NEXT(ordered_runtime)

/* ---- ordered(n) with depend ---- */

static bool start_doacross(unsigned n, const long *counts, uint32_t schedule, long chunk, long *from, long *to,
                           uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_doacross_begin(me, n, (const uint64_t *)counts, schedule, chunk > 0 ? (uint64_t)chunk : 0);
    fl_omp_loop_extras(me, reductions, memory);
    return next(me, from, to);
}

#define DOACROSS(name, schedule)                                                                   \
    FL_OMP_API bool GOMP_loop_##name##_start(unsigned n, long *counts, long chunk, long *from, long *to) {\
        return start_doacross(n, counts, schedule, chunk, from, to, NULL, NULL);                   \
    }
DOACROSS(doacross_static, FL_OMP_STATIC)
DOACROSS(doacross_dynamic, FL_OMP_DYNAMIC)
DOACROSS(doacross_guided, FL_OMP_GUIDED)

FL_OMP_API bool GOMP_loop_doacross_runtime_start(unsigned n, long *counts, long *from, long *to) {
    return start_doacross(n, counts, FL_OMP_RUNTIME, 0, from, to, NULL, NULL);
}

FL_OMP_API bool GOMP_loop_doacross_start(unsigned n, long *counts, long schedule, long chunk, long *from,
                                         long *to, uintptr_t *reductions, void **memory) {
    return start_doacross(n, counts, (uint32_t)schedule, chunk, from, to, reductions, memory);
}

/* ---- regions that are one loop ---- */

#define PARALLEL(name, schedule)                                                                   \
    FL_OMP_API void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads,  \
                                              long start, long end, long step, long chunk,         \
                                              unsigned flags) {                                    \
        fl_omp_loop_region(body, data, threads, make(start, end, step, schedule, chunk), flags);   \
    }
#define PARALLEL_RUNTIME(name)                                                                     \
    FL_OMP_API void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads,  \
                                              long start, long end, long step, unsigned flags) {   \
        fl_omp_loop_region(body, data, threads, make(start, end, step, FL_OMP_RUNTIME, 0), flags); \
    }
PARALLEL(static, FL_OMP_STATIC)
PARALLEL(dynamic, FL_OMP_DYNAMIC)
PARALLEL(guided, FL_OMP_GUIDED)
PARALLEL(nonmonotonic_dynamic, FL_OMP_DYNAMIC)
PARALLEL(nonmonotonic_guided, FL_OMP_GUIDED)
PARALLEL_RUNTIME(runtime)
PARALLEL_RUNTIME(nonmonotonic_runtime)
PARALLEL_RUNTIME(maybe_nonmonotonic_runtime)

/* Up to gcc 4.8: the caller executes its own part, and ends by GOMP_parallel_end. */
#define PARALLEL_START(name, schedule)                                                             \
    FL_OMP_API void GOMP_parallel_loop_##name##_start(void (*body)(void *), void *data,            \
                                                      unsigned threads, long start, long end,      \
                                                      long step, long chunk) {                     \
        fl_omp_loop_region_begin(body, data, threads, make(start, end, step, schedule, chunk));    \
    }
PARALLEL_START(static, FL_OMP_STATIC)
PARALLEL_START(dynamic, FL_OMP_DYNAMIC)
PARALLEL_START(guided, FL_OMP_GUIDED)

FL_OMP_API void GOMP_parallel_loop_runtime_start(void (*body)(void *), void *data, unsigned threads,
                                                 long start, long end, long step) {
    fl_omp_loop_region_begin(body, data, threads, make(start, end, step, FL_OMP_RUNTIME, 0));
}
