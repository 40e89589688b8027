/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upc_nb.h> as C sees them. Contracts: UPC 1.3 library 7.9. */
#ifndef FL_LIBRARY_TRANSFER_H
#define FL_LIBRARY_TRANSFER_H

#include "library/tickets.h"
#include "upc/abi.h"

upc_handle_t upc_memcpy_nb(upcr_pts dst, upcr_pts src, size_t n);
upc_handle_t upc_memget_nb(void *dst, upcr_pts src, size_t n);
upc_handle_t upc_memput_nb(upcr_pts dst, const void *src, size_t n);
upc_handle_t upc_memset_nb(upcr_pts dst, int c, size_t n);
void upc_memcpy_nbi(upcr_pts dst, upcr_pts src, size_t n);
void upc_memget_nbi(void *dst, upcr_pts src, size_t n);
void upc_memput_nbi(upcr_pts dst, const void *src, size_t n);
void upc_memset_nbi(upcr_pts dst, int c, size_t n);
int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);
int upc_synci_attempt(void);
void upc_synci(void);

#endif
