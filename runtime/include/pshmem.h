/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profiling interface: OpenSHMEM 1.5, 10. Each function has a second name that begins with p,
 * and a tool that defines the first name itself calls that one. Calls that the compiler has inlined
 * do not come to the tool: compile the program with -fno-inline.
 */
#ifndef FURLONG_PSHMEM_H
#define FURLONG_PSHMEM_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define FURLONG_SHMEM_NAME(name) extern __typeof__(name) p##name;
#include <furlong/shmem_names.h>
#undef FURLONG_SHMEM_NAME

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* A tool's function takes the place of an inline one; clang takes it for one. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wstatic-in-inline"
#endif

#endif
