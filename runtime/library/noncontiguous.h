/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The transfers of memory that is not contiguous, of <furlong/bupc/transfer.h>, as C sees them:
 * lists of `shared void *` hold packed pointers, and a memory vector is a pointer and a length.
 */
#ifndef FL_LIBRARY_NONCONTIGUOUS_H
#define FL_LIBRARY_NONCONTIGUOUS_H

#include "library/tickets.h"
#include "upc/abi.h"

void bupc_memcpy_vlist(size_t dstcount, const void *dstlist, size_t srccount, const void *srclist);
void bupc_memput_vlist(size_t dstcount, const void *dstlist, size_t srccount, const void *srclist);
void bupc_memget_vlist(size_t dstcount, const void *dstlist, size_t srccount, const void *srclist);
void bupc_memcpy_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                       const void *srclist, size_t srclen);
void bupc_memput_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                       const void *srclist, size_t srclen);
void bupc_memget_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                       const void *srclist, size_t srclen);
void bupc_memcpy_fstrided(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount);
void bupc_memput_fstrided(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, const void *src, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount);
void bupc_memget_fstrided(void *dst, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount);
void bupc_memcpy_strided(upcr_pts dst, const size_t dststrides[], upcr_pts src,
                         const size_t srcstrides[], const size_t count[], size_t levels);
void bupc_memput_strided(upcr_pts dst, const size_t dststrides[], const void *src,
                         const size_t srcstrides[], const size_t count[], size_t levels);
void bupc_memget_strided(void *dst, const size_t dststrides[], upcr_pts src,
                         const size_t srcstrides[], const size_t count[], size_t levels);

upc_handle_t bupc_memcpy_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                     const void *srclist);
upc_handle_t bupc_memput_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                     const void *srclist);
upc_handle_t bupc_memget_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                     const void *srclist);
upc_handle_t bupc_memcpy_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                     size_t srccount, const void *srclist, size_t srclen);
upc_handle_t bupc_memput_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                     size_t srccount, const void *srclist, size_t srclen);
upc_handle_t bupc_memget_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                     size_t srccount, const void *srclist, size_t srclen);
upc_handle_t bupc_memcpy_fstrided_async(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                                        size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                                        size_t srcchunkstride, size_t srcchunkcount);
upc_handle_t bupc_memput_fstrided_async(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                                        size_t dstchunkcount, const void *src, size_t srcchunklen,
                                        size_t srcchunkstride, size_t srcchunkcount);
upc_handle_t bupc_memget_fstrided_async(void *dst, size_t dstchunklen, size_t dstchunkstride,
                                        size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                                        size_t srcchunkstride, size_t srcchunkcount);
upc_handle_t bupc_memcpy_strided_async(upcr_pts dst, const size_t dststrides[], upcr_pts src,
                                       const size_t srcstrides[], const size_t count[],
                                       size_t levels);
upc_handle_t bupc_memput_strided_async(upcr_pts dst, const size_t dststrides[], const void *src,
                                       const size_t srcstrides[], const size_t count[],
                                       size_t levels);
upc_handle_t bupc_memget_strided_async(void *dst, const size_t dststrides[], upcr_pts src,
                                       const size_t srcstrides[], const size_t count[],
                                       size_t levels);

#endif
