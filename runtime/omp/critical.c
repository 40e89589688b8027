/* SPDX-License-Identifier: BSD-3-Clause */
/* critical, and atomic where there is no instruction for it. OpenMP 5.1 §2.19.1, §2.19.7. */
#include "omp/lock.h"
#include "omp/team.h"

static struct {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t unnamed;
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t atomic;
} locks;

FL_OMP_API void GOMP_critical_start(void) {
    fl_omp_lock(&locks.unnamed, "critical");
}

FL_OMP_API void GOMP_critical_end(void) {
    fl_omp_unlock(&locks.unnamed);
}

/* The name is a pointer of the program's, null at first, that all places with the name share. */
FL_OMP_API void GOMP_critical_name_start(void **name) {
    fl_omp_lock((_Atomic uint32_t *)name, "critical");
}

FL_OMP_API void GOMP_critical_name_end(void **name) {
    fl_omp_unlock((_Atomic uint32_t *)name);
}

FL_OMP_API void GOMP_atomic_start(void) {
    fl_omp_lock(&locks.atomic, "atomic");
}

FL_OMP_API void GOMP_atomic_end(void) {
    fl_omp_unlock(&locks.atomic);
}
