/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions, as compiled code begins them. OpenMP 5.1 §2.6. */
#include "omp/team.h"

FL_OMP_API void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {
    fl_omp_region(&(struct fl_omp_region){body, data, threads, flags, NULL, false, NULL});
}

/* Up to gcc 4.8 the caller executed its own part between the two. */
FL_OMP_API void GOMP_parallel_start(void (*body)(void *), void *data, unsigned threads) {
    fl_omp_region_begin(&(struct fl_omp_region){body, data, threads, 0, NULL, false, NULL});
}

FL_OMP_API void GOMP_parallel_end(void) {
    fl_omp_region_end();
}
