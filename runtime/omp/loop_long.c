/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over `long`; regions that are one loop are always over that. */
#include "omp/loop.h"

typedef long number;
#define LOOP(name) GOMP_loop_##name
#define DIRECTION
#define UP step > 0
#include "omp/loop_entries.h"

/* ---- regions that are one loop ---- */

#define PARALLEL(name, schedule)                                                                   \
    FL_OMP_API void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads,  \
                                              long start, long end, long step, long chunk,         \
                                              unsigned flags) {                                    \
        fl_omp_loop_region(body, data, threads, make(UP, start, end, step, schedule, chunk), flags);   \
    }
#define PARALLEL_RUNTIME(name, schedule)                                                                     \
    FL_OMP_API void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads,  \
                                              long start, long end, long step, unsigned flags) {   \
        fl_omp_loop_region(body, data, threads, make(UP, start, end, step, schedule, 0), flags);   \
    }
PARALLEL(static, FL_OMP_STATIC)
PARALLEL(dynamic, FL_OMP_DYNAMIC | FL_OMP_MONOTONIC)
PARALLEL(guided, FL_OMP_GUIDED)
PARALLEL(nonmonotonic_dynamic, FL_OMP_DYNAMIC)
PARALLEL(nonmonotonic_guided, FL_OMP_GUIDED)
PARALLEL_RUNTIME(runtime, FL_OMP_RUNTIME | FL_OMP_MONOTONIC)
PARALLEL_RUNTIME(nonmonotonic_runtime, FL_OMP_RUNTIME)
PARALLEL_RUNTIME(maybe_nonmonotonic_runtime, FL_OMP_RUNTIME)

/* Up to gcc 4.8: the caller executes its own part, and ends by GOMP_parallel_end. */
#define PARALLEL_START(name, schedule)                                                             \
    FL_OMP_API void GOMP_parallel_loop_##name##_start(void (*body)(void *), void *data,            \
                                                      unsigned threads, long start, long end,      \
                                                      long step, long chunk) {                     \
        fl_omp_loop_region_begin(body, data, threads, make(UP, start, end, step, schedule, chunk));    \
    }
PARALLEL_START(static, FL_OMP_STATIC)
PARALLEL_START(dynamic, FL_OMP_DYNAMIC | FL_OMP_MONOTONIC)
PARALLEL_START(guided, FL_OMP_GUIDED)

FL_OMP_API void GOMP_parallel_loop_runtime_start(void (*body)(void *), void *data, unsigned threads,
                                                 long start, long end, long step) {
    fl_omp_loop_region_begin(body, data, threads, make(UP, start, end, step, FL_OMP_RUNTIME | FL_OMP_MONOTONIC, 0));
}
