/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over `unsigned long long`: the entries that compiled code calls. See loop.h. */
#include "omp/loop.h"

typedef unsigned long long ull;

static struct fl_omp_loop make(bool up, ull start, ull end, ull step, uint32_t schedule,
                               ull chunk) {
    if (up ? start >= end : start <= end) {
        end = start;
    }
    return fl_omp_loop_make(up, start, end, step, schedule, chunk);
}

static bool next(struct fl_omp_member *me, ull *from_p, ull *to_p) {
    uint64_t from, to;
    if (!from_p) {
        return true; /* the caller divides the loop itself */
    }
    if (!fl_omp_loop_next(me, &from, &to)) {
        return false;
    }
    *from_p = (ull)from;
    *to_p = (ull)to;
    return true;
}

static bool start_loop(struct fl_omp_loop loop, bool ordered, ull *from, ull *to,
                       uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    loop.ordered = ordered;
    fl_omp_loop_begin(me, loop);
    fl_omp_loop_extras(me, reductions, memory);
    return next(me, from, to);
}

#define START(name, schedule, ordered)                                                             \
    FL_OMP_API bool GOMP_loop_##name##_start(bool up, ull start, ull end, ull step, ull chunk, ull *from,\
                                             ull *to) {                                            \
        return start_loop(make(up, start, end, step, schedule, chunk), ordered, from, to, NULL, NULL);\
    }
#define START_RUNTIME(name, ordered)                                                               \
    FL_OMP_API bool GOMP_loop_##name##_start(bool up, ull start, ull end, ull step, ull *from, ull *to) {\
        return start_loop(make(up, start, end, step, FL_OMP_RUNTIME, 0), ordered, from, to, NULL, NULL);\
    }
#define START_ANY(name, ordered)                                                                   \
    FL_OMP_API bool GOMP_loop_##name(bool up, ull start, ull end, ull step, long schedule, ull chunk,\
                                     ull *from, ull *to, uintptr_t *reductions, void **memory) {   \
        return start_loop(make(up, start, end, step, (uint32_t)schedule, chunk), ordered, from, to,\
                          reductions, memory);                                                     \
    }
START(ull_static, FL_OMP_STATIC, false)
START(ull_dynamic, FL_OMP_DYNAMIC, false)
START(ull_guided, FL_OMP_GUIDED, false)
START(ull_nonmonotonic_dynamic, FL_OMP_DYNAMIC, false)
START(ull_nonmonotonic_guided, FL_OMP_GUIDED, false)
START(ull_ordered_static, FL_OMP_STATIC, true)
START(ull_ordered_dynamic, FL_OMP_DYNAMIC, true)
START(ull_ordered_guided, FL_OMP_GUIDED, true)
START_RUNTIME(ull_runtime, false)
START_RUNTIME(ull_nonmonotonic_runtime, false)
START_RUNTIME(ull_maybe_nonmonotonic_runtime, false)
START_RUNTIME(ull_ordered_runtime, true)
START_ANY(ull_start, false)
START_ANY(ull_ordered_start, true)

/* The member knows what loop it is in. */
#define NEXT(name)                                                                                 \
    FL_OMP_API bool GOMP_loop_##name##_next(ull *from, ull *to) {                                  \
        return next(fl_omp_me, from, to);                                                          \
    }
NEXT(ull_static)
NEXT(ull_dynamic)
NEXT(ull_guided)
NEXT(ull_nonmonotonic_dynamic)
NEXT(ull_nonmonotonic_guided)
NEXT(ull_ordered_static)
NEXT(ull_ordered_dynamic)
NEXT(ull_ordered_guided)
NEXT(ull_runtime)
NEXT(ull_nonmonotonic_runtime)
NEXT(ull_maybe_nonmonotonic_runtime)
NEXT(ull_ordered_runtime)

/* ---- ordered(n) with depend ---- */

static bool start_doacross(unsigned n, const ull *counts, uint32_t schedule, ull chunk, ull *from, ull *to,
                           uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_doacross_begin(me, n, (const uint64_t *)counts, schedule, chunk);
    fl_omp_loop_extras(me, reductions, memory);
    return next(me, from, to);
}

#define DOACROSS(name, schedule)                                                                   \
    FL_OMP_API bool GOMP_loop_##name##_start(unsigned n, ull *counts, ull chunk, ull *from, ull *to) {\
        return start_doacross(n, counts, schedule, chunk, from, to, NULL, NULL);                   \
    }
DOACROSS(ull_doacross_static, FL_OMP_STATIC)
DOACROSS(ull_doacross_dynamic, FL_OMP_DYNAMIC)
DOACROSS(ull_doacross_guided, FL_OMP_GUIDED)

FL_OMP_API bool GOMP_loop_ull_doacross_runtime_start(unsigned n, ull *counts, ull *from, ull *to) {
    return start_doacross(n, counts, FL_OMP_RUNTIME, 0, from, to, NULL, NULL);
}

FL_OMP_API bool GOMP_loop_ull_doacross_start(unsigned n, ull *counts, long schedule, ull chunk, ull *from,
                                         ull *to, uintptr_t *reductions, void **memory) {
    return start_doacross(n, counts, (uint32_t)schedule, chunk, from, to, reductions, memory);
}
