/* SPDX-License-Identifier: BSD-3-Clause */
/* sections: a loop over their numbers, from 1; 0: no further one is left. They end as loops do
 * (loop.c). And scope. OpenMP 5.1 §2.10.1, §2.9. */
#include "omp/loop.h"

static struct fl_omp_loop sections(unsigned count) {
    return fl_omp_loop_make(true, 1, (uint64_t)count + 1, 1,
                            FL_OMP_DYNAMIC | FL_OMP_MONOTONIC, 1);
}

static unsigned next(struct fl_omp_member *me) {
    uint64_t from, to;
    return fl_omp_loop_next(me, &from, &to) ? (unsigned)from : 0;
}

FL_OMP_API unsigned GOMP_sections_start(unsigned count) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_loop_begin(me, sections(count));
    return next(me);
}

FL_OMP_API unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory) {
    struct fl_omp_member *me = fl_omp_self();
    fl_omp_loop_begin(me, sections(count));
    fl_omp_loop_extras(me, reductions, memory);
    return next(me);
}

FL_OMP_API unsigned GOMP_sections_next(void) {
    return next(fl_omp_me);
}

FL_OMP_API void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads,
                                       unsigned count, unsigned flags) {
    fl_omp_loop_region(body, data, threads, sections(count), flags);
}

FL_OMP_API void GOMP_parallel_sections_start(void (*body)(void *), void *data, unsigned threads,
                                             unsigned count) {
    fl_omp_loop_region_begin(body, data, threads, sections(count));
}

/* Called for scope with task reductions; other scopes need no call. */
FL_OMP_API void GOMP_scope_start(uintptr_t *reductions) {
    fl_omp_reductions_begin(fl_omp_self(), reductions);
}
