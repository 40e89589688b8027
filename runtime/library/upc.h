/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of <upc.h> as C sees them: `shared void *` is upcr_pts, a packed pointer, and
 * upc_lock_t * is the address of the lock. Contracts: UPC 1.3 7.2.
 */
#ifndef FL_LIBRARY_UPC_H
#define FL_LIBRARY_UPC_H

#include "upc/abi.h"

#include <stddef.h>

struct upcr_lock;

upcr_pts upc_global_alloc(size_t nblocks, size_t nbytes);
upcr_pts upc_all_alloc(size_t nblocks, size_t nbytes);
upcr_pts upc_alloc(size_t nbytes);
upcr_pts upc_local_alloc(size_t nblocks, size_t nbytes);
void upc_free(upcr_pts p);
void upc_all_free(upcr_pts p);

size_t upc_threadof(upcr_pts p);
size_t upc_phaseof(upcr_pts p);
upcr_pts upc_resetphase(upcr_pts p);
size_t upc_addrfield(upcr_pts p);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

struct upcr_lock *upc_global_lock_alloc(void);
struct upcr_lock *upc_all_lock_alloc(void);
void upc_lock_free(struct upcr_lock *lock);
void upc_all_lock_free(struct upcr_lock *lock);
void upc_lock(struct upcr_lock *lock);
int upc_lock_attempt(struct upcr_lock *lock);
void upc_unlock(struct upcr_lock *lock);

void upc_memcpy(upcr_pts dst, upcr_pts src, size_t n);
void upc_memget(void *dst, upcr_pts src, size_t n);
void upc_memput(upcr_pts dst, const void *src, size_t n);
void upc_memset(upcr_pts dst, int c, size_t n);

#endif
