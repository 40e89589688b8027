/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_nb.h>: transfers that go on while the program does (UPC 1.3 library 7.9). No function here
 * is collective; a handle belongs to the thread that got it. */
#ifndef FURLONG_UPC_NB_H
#define FURLONG_UPC_NB_H

#include <stddef.h>

/* A transfer that has been initiated, until it is synchronised (7.9.3). */
typedef struct upcr_transfer *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

/* Initiate what upc_memcpy and the others do; each handle goes to upc_sync or a successful
 * upc_sync_attempt, once (7.9.4). */
upc_handle_t upc_memcpy_nb(shared void *__restrict dst, shared const void *__restrict src,
                           size_t n);
upc_handle_t upc_memget_nb(void *__restrict dst, shared const void *__restrict src, size_t n);
upc_handle_t upc_memput_nb(shared void *__restrict dst, const void *__restrict src, size_t n);
upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);

/* The same without handles, for upc_synci (7.9.5). */
void upc_memcpy_nbi(shared void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memget_nbi(void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memput_nbi(shared void *__restrict dst, const void *__restrict src, size_t n);
void upc_memset_nbi(shared void *dst, int c, size_t n);

/* Synchronise one transfer (7.9.6): upc_sync waits, upc_sync_attempt returns 0 if it would. */
int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);

/* Synchronise the calling thread's transfers without handles (7.9.7). */
int upc_synci_attempt(void);
void upc_synci(void);

#endif
