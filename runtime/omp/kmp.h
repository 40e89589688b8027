/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface that clang compiles for, __kmpc_*, in terms of the rest of this room. Its functions
 * get the call's place in the program and the thread's number; neither is used here.
 * LLVM OpenMP Runtime Library, reference manual.
 */
#ifndef FL_OMP_KMP_H
#define FL_OMP_KMP_H

#include "omp/team.h"

#define FL_KMP_CALLER                                                                              \
    __attribute__((unused)) const void *place, __attribute__((unused)) int32_t thread

/* The outlined body of a region: the thread's number twice, then addresses of what it shares. */
typedef void fl_kmp_body(int32_t *thread, int32_t *bound, ...);

/* How loops are divided. The kinds of ordered loops, and of those that must not be merged with
 * others, stand above FL_KMP_ORDERED and FL_KMP_NOT_MERGED as the plain ones do above FL_KMP_FIRST. */
enum fl_kmp_schedule {
    FL_KMP_FIRST = 32,
    FL_KMP_STATIC_CHUNKED = 33,
    FL_KMP_STATIC = 34,
    FL_KMP_DYNAMIC = 35,
    FL_KMP_GUIDED = 36,
    FL_KMP_RUNTIME = 37,
    FL_KMP_AUTO = 38,
    FL_KMP_STATIC_BALANCED_CHUNKED = 45,
    FL_KMP_GUIDED_SIMD = 46,
    FL_KMP_RUNTIME_SIMD = 47,
    FL_KMP_ORDERED = 64,
    FL_KMP_DISTRIBUTE_CHUNKED = 91,
    FL_KMP_DISTRIBUTE = 92,
    FL_KMP_NOT_MERGED = 160
};
#define FL_KMP_MONOTONIC (1u << 29)
#define FL_KMP_NONMONOTONIC (1u << 30)
#define FL_KMP_MODIFIERS (FL_KMP_MONOTONIC | FL_KMP_NONMONOTONIC)

/* The loop begins that divides an announced doacross nest: `count`, the iterations that its members
 * divide, tells how many loops of the nest are collapsed. */
FL_COLD void fl_kmp_doacross_divided(struct fl_omp_member *me, uint64_t count);

enum { FL_KMP_CANCEL_TASKGROUP = 4 };

/* Functions of gcc's interface that this one calls. */
bool GOMP_cancel(int which, bool really);
bool GOMP_cancellation_point(int which);
bool GOMP_single_start(void);
void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator);
void GOMP_error(const char *message, size_t length);
void GOMP_warning(const char *message, size_t length);
void GOMP_taskwait(void);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

#endif
