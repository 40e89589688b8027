/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entries for loops over one type of number that compiled code calls: see loop.h. Included by
 * loop_long.c and loop_ull.c, after these:
 *     number        the type
 *     LOOP(name)    the entry of that name
 *     DIRECTION     the parameter, and a comma, that tells whether the loop goes up; or nothing
 *     UP            whether it does
 */
/* Modulo 2^64, as all arithmetic of loops. */
static struct fl_omp_loop make(bool up, number start, number end, number step, uint32_t schedule,
                               number chunk) {
    if (up ? start >= end : start <= end) {
        end = start;
    }
    return fl_omp_loop_make(up, (uint64_t)start, (uint64_t)end, (uint64_t)step, schedule,
                            chunk > 0 ? (uint64_t)chunk : 0);
}

static bool next(struct fl_omp_member *me, number *from_p, number *to_p) {
    uint64_t from, to;
    if (!from_p) {
        return true; /* the caller divides the loop itself */
    }
    if (!fl_omp_loop_next(me, &from, &to)) {
        return false;
    }
    *from_p = (number)from;
    *to_p = (number)to;
    return true;
}

static bool start_loop(struct fl_omp_loop loop, bool ordered, number *from, number *to,
                       uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    loop.ordered = ordered;
    fl_omp_loop_begin(me, loop);
    fl_omp_loop_extras(me, reductions, memory);
    return next(me, from, to);
}

/* The member knows what loop it is in. */
#define NEXT(name)                                                                                 \
    FL_OMP_API bool LOOP(name##_next)(number * from, number * to) {                                \
        return next(fl_omp_me, from, to);                                                          \
    }
#define ENTRIES(name, schedule, ordered)                                                           \
    FL_OMP_API bool LOOP(name##_start)(DIRECTION number start, number end, number step,            \
                                       number chunk, number * from, number * to) {                 \
        return start_loop(make(UP, start, end, step, schedule, chunk), ordered, from, to, NULL,    \
                          NULL);                                                                   \
    }                                                                                              \
    NEXT(name)
#define ENTRIES_RUNTIME(name, schedule, ordered)                                                             \
    FL_OMP_API bool LOOP(name##_start)(DIRECTION number start, number end, number step,            \
                                       number * from, number * to) {                               \
        return start_loop(make(UP, start, end, step, schedule, 0), ordered, from, to, NULL,       \
                          NULL);                                                                   \
    }                                                                                              \
    NEXT(name)
#define START_ANY(name, ordered)                                                                   \
    FL_OMP_API bool LOOP(name)(DIRECTION number start, number end, number step, long schedule,     \
                               number chunk, number * from, number * to, uintptr_t * reductions,   \
                               void **memory) {                                                    \
        return start_loop(make(UP, start, end, step, (uint32_t)schedule, chunk), ordered, from,    \
                          to, reductions, memory);                                                 \
    }
ENTRIES(static, FL_OMP_STATIC, false)
ENTRIES(dynamic, FL_OMP_DYNAMIC | FL_OMP_MONOTONIC, false)
ENTRIES(guided, FL_OMP_GUIDED, false)
ENTRIES(nonmonotonic_dynamic, FL_OMP_DYNAMIC, false)
ENTRIES(nonmonotonic_guided, FL_OMP_GUIDED, false)
ENTRIES(ordered_static, FL_OMP_STATIC, true)
ENTRIES(ordered_dynamic, FL_OMP_DYNAMIC, true)
ENTRIES(ordered_guided, FL_OMP_GUIDED, true)
ENTRIES_RUNTIME(runtime, FL_OMP_RUNTIME | FL_OMP_MONOTONIC, false)
ENTRIES_RUNTIME(nonmonotonic_runtime, FL_OMP_RUNTIME, false)
ENTRIES_RUNTIME(maybe_nonmonotonic_runtime, FL_OMP_RUNTIME, false)
ENTRIES_RUNTIME(ordered_runtime, FL_OMP_RUNTIME, true)
START_ANY(start, false)
START_ANY(ordered_start, true)

/* ---- ordered(n) with depend ---- */

static bool start_doacross(unsigned n, const number *counts, uint32_t schedule, number chunk,
                           number *from, number *to, uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_doacross_begin(me, n, (const uint64_t *)counts, schedule,
                          chunk > 0 ? (uint64_t)chunk : 0);
    fl_omp_loop_extras(me, reductions, memory);
    return next(me, from, to);
}

#define DOACROSS(name, schedule)                                                                   \
    FL_OMP_API bool LOOP(doacross_##name##_start)(unsigned n, number * counts, number chunk,       \
                                                  number * from, number * to) {                    \
        return start_doacross(n, counts, schedule, chunk, from, to, NULL, NULL);                   \
    }
DOACROSS(static, FL_OMP_STATIC)
DOACROSS(dynamic, FL_OMP_DYNAMIC)
DOACROSS(guided, FL_OMP_GUIDED)

FL_OMP_API bool LOOP(doacross_runtime_start)(unsigned n, number *counts, number *from,
                                             number *to) {
    return start_doacross(n, counts, FL_OMP_RUNTIME, 0, from, to, NULL, NULL);
}

FL_OMP_API bool LOOP(doacross_start)(unsigned n, number *counts, long schedule, number chunk,
                                     number *from, number *to, uintptr_t *reductions,
                                     void **memory) {
    return start_doacross(n, counts, (uint32_t)schedule, chunk, from, to, reductions, memory);
}
