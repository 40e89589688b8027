/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's transfers with handles, and those of memory that is not contiguous (LBNL-56495). No
 * function is collective. Those that return a handle do not wait; handles are those of <upc_nb.h>
 * and belong to the thread that got them. */
#ifndef FURLONG_BUPC_TRANSFER_H
#define FURLONG_BUPC_TRANSFER_H

#include <stddef.h>
#include <upc_nb.h>

typedef upc_handle_t bupc_handle_t;
#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE

/* Initiate what upc_memcpy and the others do. */
bupc_handle_t bupc_memcpy_async(shared void *dst, shared const void *src, size_t nbytes);
bupc_handle_t bupc_memget_async(void *dst, shared const void *src, size_t nbytes);
bupc_handle_t bupc_memput_async(shared void *dst, const void *src, size_t nbytes);
bupc_handle_t bupc_memset_async(shared void *dst, int c, size_t nbytes);

/* Wait for one transfer, for all, or for at least one of `n`; try: nonzero if that would not wait.
 * What is synchronised becomes BUPC_COMPLETE_HANDLE in the array, and that is ignored there. */
void bupc_waitsync(bupc_handle_t handle);
void bupc_waitsync_all(bupc_handle_t *handles, size_t n);
void bupc_waitsync_some(bupc_handle_t *handles, size_t n);
int bupc_trysync(bupc_handle_t handle);
int bupc_trysync_all(bupc_handle_t *handles, size_t n);
int bupc_trysync_some(bupc_handle_t *handles, size_t n);

/* Without handles; bupc_waitsynci synchronises all of the calling thread. */
void bupc_memcpy_asynci(shared void *dst, shared const void *src, size_t nbytes);
void bupc_memget_asynci(void *dst, shared const void *src, size_t nbytes);
void bupc_memput_asynci(shared void *dst, const void *src, size_t nbytes);
void bupc_memset_asynci(shared void *dst, int c, size_t nbytes);
void bupc_waitsynci(void);
int bupc_trysynci(void);

/* For programs that say what they wait for: these wait for all. */
#define BUPC_SYNCI_PUTGETS 1
#define bupc_waitsynci_gets() bupc_waitsynci()
#define bupc_waitsynci_puts() bupc_waitsynci()
#define bupc_trysynci_gets() bupc_trysynci()
#define bupc_trysynci_puts() bupc_trysynci()

/* The transfers without handles that are initiated in between get one handle together. */
void bupc_begin_accessregion(void);
bupc_handle_t bupc_end_accessregion(void);

/* A region of shared, or of the thread's private, memory. */
typedef struct {
    shared void *addr;
    size_t len;
} bupc_smemvec_t;
typedef struct {
    void *addr;
    size_t len;
} bupc_pmemvec_t;
typedef bupc_smemvec_t upc_smemvec_t;
typedef bupc_pmemvec_t upc_pmemvec_t;

/* Copy from a list of regions to another; both have the same number of bytes in all. */
void bupc_memcpy_vlist(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                       bupc_smemvec_t const srclist[]);
void bupc_memput_vlist(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                       bupc_pmemvec_t const srclist[]);
void bupc_memget_vlist(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount,
                       bupc_smemvec_t const srclist[]);
bupc_handle_t bupc_memcpy_vlist_async(size_t dstcount, bupc_smemvec_t const dstlist[],
                                      size_t srccount, bupc_smemvec_t const srclist[]);
bupc_handle_t bupc_memput_vlist_async(size_t dstcount, bupc_smemvec_t const dstlist[],
                                      size_t srccount, bupc_pmemvec_t const srclist[]);
bupc_handle_t bupc_memget_vlist_async(size_t dstcount, bupc_pmemvec_t const dstlist[],
                                      size_t srccount, bupc_smemvec_t const srclist[]);

/* The same with regions of one length in each list. */
void bupc_memcpy_ilist(size_t dstcount, shared void *const dstlist[], size_t dstlen,
                       size_t srccount, shared const void *const srclist[], size_t srclen);
void bupc_memput_ilist(size_t dstcount, shared void *const dstlist[], size_t dstlen,
                       size_t srccount, const void *const srclist[], size_t srclen);
void bupc_memget_ilist(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
                       shared const void *const srclist[], size_t srclen);
bupc_handle_t bupc_memcpy_ilist_async(size_t dstcount, shared void *const dstlist[], size_t dstlen,
                                      size_t srccount, shared const void *const srclist[],
                                      size_t srclen);
bupc_handle_t bupc_memput_ilist_async(size_t dstcount, shared void *const dstlist[], size_t dstlen,
                                      size_t srccount, const void *const srclist[], size_t srclen);
bupc_handle_t bupc_memget_ilist_async(size_t dstcount, void *const dstlist[], size_t dstlen,
                                      size_t srccount, shared const void *const srclist[],
                                      size_t srclen);

/* Copy chunks that begin at one distance, in bytes; both sides have the same number of bytes. */
void bupc_memcpy_fstrided(shared void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, shared const void *srcaddr, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount);
void bupc_memput_fstrided(shared void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, const void *srcaddr, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount);
void bupc_memget_fstrided(void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, shared const void *srcaddr, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount);
bupc_handle_t bupc_memcpy_fstrided_async(shared void *dstaddr, size_t dstchunklen,
                                         size_t dstchunkstride, size_t dstchunkcount,
                                         shared const void *srcaddr, size_t srcchunklen,
                                         size_t srcchunkstride, size_t srcchunkcount);
bupc_handle_t bupc_memput_fstrided_async(shared void *dstaddr, size_t dstchunklen,
                                         size_t dstchunkstride, size_t dstchunkcount,
                                         const void *srcaddr, size_t srcchunklen,
                                         size_t srcchunkstride, size_t srcchunkcount);
bupc_handle_t bupc_memget_fstrided_async(void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                         size_t dstchunkcount, shared const void *srcaddr,
                                         size_t srcchunklen, size_t srcchunkstride,
                                         size_t srcchunkcount);

/* Copy count[0] bytes, count[1] times at a distance of strides[0] bytes, all that count[2] times at
 * a distance of strides[1], and so on: count has stridelevels + 1 elements, strides stridelevels. */
void bupc_memcpy_strided(shared void *dstaddr, const size_t dststrides[],
                         shared const void *srcaddr, const size_t srcstrides[],
                         const size_t count[], size_t stridelevels);
void bupc_memput_strided(shared void *dstaddr, const size_t dststrides[], const void *srcaddr,
                         const size_t srcstrides[], const size_t count[], size_t stridelevels);
void bupc_memget_strided(void *dstaddr, const size_t dststrides[], shared const void *srcaddr,
                         const size_t srcstrides[], const size_t count[], size_t stridelevels);
bupc_handle_t bupc_memcpy_strided_async(shared void *dstaddr, const size_t dststrides[],
                                        shared const void *srcaddr, const size_t srcstrides[],
                                        const size_t count[], size_t stridelevels);
bupc_handle_t bupc_memput_strided_async(shared void *dstaddr, const size_t dststrides[],
                                        const void *srcaddr, const size_t srcstrides[],
                                        const size_t count[], size_t stridelevels);
bupc_handle_t bupc_memget_strided_async(void *dstaddr, const size_t dststrides[],
                                        shared const void *srcaddr, const size_t srcstrides[],
                                        const size_t count[], size_t stridelevels);

#endif
