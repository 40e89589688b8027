/* SPDX-License-Identifier: BSD-3-Clause */
/* The transfers with handles of <furlong/bupc/transfer.h> as C sees them. */
#ifndef FL_LIBRARY_ASYNC_H
#define FL_LIBRARY_ASYNC_H

#include "library/tickets.h"
#include "upc/abi.h"

upc_handle_t bupc_memcpy_async(upcr_pts dst, upcr_pts src, size_t n);
upc_handle_t bupc_memget_async(void *dst, upcr_pts src, size_t n);
upc_handle_t bupc_memput_async(upcr_pts dst, const void *src, size_t n);
upc_handle_t bupc_memset_async(upcr_pts dst, int c, size_t n);

void bupc_waitsync(upc_handle_t handle);
void bupc_waitsync_all(upc_handle_t *handles, size_t n);
void bupc_waitsync_some(upc_handle_t *handles, size_t n);
int bupc_trysync(upc_handle_t handle);
int bupc_trysync_all(upc_handle_t *handles, size_t n);
int bupc_trysync_some(upc_handle_t *handles, size_t n);

void bupc_memcpy_asynci(upcr_pts dst, upcr_pts src, size_t n);
void bupc_memget_asynci(void *dst, upcr_pts src, size_t n);
void bupc_memput_asynci(upcr_pts dst, const void *src, size_t n);
void bupc_memset_asynci(upcr_pts dst, int c, size_t n);
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
upc_handle_t bupc_end_accessregion(void);

#endif
