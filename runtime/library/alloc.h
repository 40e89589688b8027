/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions for allocation and collective calls that several files of the library use. */
#ifndef FL_LIBRARY_ALLOC_H
#define FL_LIBRARY_ALLOC_H

#include "upc/process.h"

/* Allocates memory in the calling thread's segment for `what`; 0 or fatal if there is none. */
uint64_t upc_alloc_local(const char *what, uint64_t bytes);

/* The same in every segment, at one offset; returns the address in thread 0's. */
uint64_t upc_alloc_global(const char *what, uint64_t bytes);

/* Begins upc_all_alloc: upc_collective_enter; and under -g all threads agree on the arguments. */
struct upc_thread *upc_alloc_enter_all(size_t nblocks, size_t nbytes);

/* Frees; fatal if the address cannot be freed. */
void upc_alloc_free(const char *what, uint64_t address);

/* In a collective call (upc/collective.h): returns thread 0's `value` in every thread. A
 * barrier. */
uint64_t upc_alloc_broadcast(enum upc_barrier_use use, uint64_t value);

#endif
