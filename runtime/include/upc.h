/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc.h>: the UPC utilities (UPC 1.3 7.2). */
#ifndef FURLONG_UPC_H
#define FURLONG_UPC_H

#include <stddef.h>
#include <upc_types.h>
#include <furlong/missing.h>

/* Ends all threads of the job, without a barrier; flushes output (7.2.1). */
__attribute__((__noreturn__)) void upc_global_exit(int status);

/* Allocation (7.2.2). A size of 0 gives a null pointer. If there is no room the job ends with a
 * message; with FURLONG_HEAP_NULL=1 the functions return a null pointer instead. */
shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
shared void *upc_alloc(size_t nbytes);
void upc_free(shared void *ptr);
void upc_all_free(shared void *ptr);

/* Dropped from UPC 1.3, still in programs: use upc_alloc. */
shared void *upc_local_alloc(size_t nblocks, size_t nbytes);

/* Queries (7.2.3). */
size_t upc_threadof(shared void *ptr);
size_t upc_phaseof(shared void *ptr);
shared void *upc_resetphase(shared void *ptr);
size_t upc_addrfield(shared void *ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* Locks (7.2.4). */
typedef shared struct upcr_lock upc_lock_t;
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr);
void upc_lock(upc_lock_t *ptr);
int upc_lock_attempt(upc_lock_t *ptr);
void upc_unlock(upc_lock_t *ptr);

/* Transfers (7.2.5). */
void upc_memcpy(shared void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memget(void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memput(shared void *__restrict dst, const void *__restrict src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);

#include <bupc_extensions.h>

#endif
