/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library's files share about allocation and collective calls. */
#ifndef FL_LIBRARY_ALLOC_H
#define FL_LIBRARY_ALLOC_H

#include "upc/process.h"

/* Memory in the calling thread's segment for `what`; 0 or fatal if there is none. */
uint64_t upc_alloc_local(const char *what, uint64_t bytes);

/* The same in every segment, at one offset; the address is that in thread 0's. */
uint64_t upc_alloc_global(const char *what, uint64_t bytes);

/* Frees; fatal if the address cannot be freed. */
void upc_alloc_free(const char *what, uint64_t address);

/* Within a collective call (upc/collective.h): every thread returns thread 0's `value`. A barrier. */
uint64_t upc_alloc_broadcast(enum upc_barrier_use use, uint64_t value);

#endif
