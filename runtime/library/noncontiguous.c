/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Berkeley's transfers of memory that is not contiguous ("Proposal for Extending the UPC Memory
 * Copy Library Functions", LBNL-56495): each form passes its regions to the one copy of regions.h.
 */
#include "library/noncontiguous.h"

#include "library/regions.h"

struct chunks {
    enum region_pointers pointers;
    uint64_t at;
    size_t len, stride, n;
};

/* Chunks at one distance are a section of one level. */
#define SECTION(c)                                                                                 \
    region_strided((c).pointers, (c).at, &(c).stride, (const size_t[]){(c).len, (c).n}, 1)

static void fstrided(const char *what, struct chunks dst, struct chunks src) {
    region_copy(what, SECTION(dst), SECTION(src));
}

static upc_handle_t fstrided_nb(enum nb_call call, struct chunks dst, struct chunks src) {
    return region_copy_nb(call, SECTION(dst), SECTION(src));
}

void bupc_memcpy_vlist(size_t dstcount, const void *dstlist, size_t srccount, const void *srclist) {
    region_copy("bupc_memcpy_vlist", region_vlist(REGION_SHARED, dstcount, dstlist),
                region_vlist(REGION_SHARED, srccount, srclist));
}

upc_handle_t bupc_memcpy_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                     const void *srclist) {
    return region_copy_nb(NB_bupc_memcpy_vlist_async, region_vlist(REGION_SHARED, dstcount, dstlist),
                region_vlist(REGION_SHARED, srccount, srclist));
}

void bupc_memput_vlist(size_t dstcount, const void *dstlist, size_t srccount, const void *srclist) {
    region_copy("bupc_memput_vlist", region_vlist(REGION_SHARED, dstcount, dstlist),
                region_vlist(REGION_PRIVATE, srccount, srclist));
}

upc_handle_t bupc_memput_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                     const void *srclist) {
    return region_copy_nb(NB_bupc_memput_vlist_async, region_vlist(REGION_SHARED, dstcount, dstlist),
                region_vlist(REGION_PRIVATE, srccount, srclist));
}

void bupc_memget_vlist(size_t dstcount, const void *dstlist, size_t srccount, const void *srclist) {
    region_copy("bupc_memget_vlist", region_vlist(REGION_PRIVATE, dstcount, dstlist),
                region_vlist(REGION_SHARED, srccount, srclist));
}

upc_handle_t bupc_memget_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                     const void *srclist) {
    return region_copy_nb(NB_bupc_memget_vlist_async, region_vlist(REGION_PRIVATE, dstcount, dstlist),
                region_vlist(REGION_SHARED, srccount, srclist));
}

void bupc_memcpy_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                       const void *srclist, size_t srclen) {
    region_copy("bupc_memcpy_ilist", region_ilist(REGION_SHARED, dstcount, dstlist, dstlen),
                region_ilist(REGION_SHARED, srccount, srclist, srclen));
}

upc_handle_t bupc_memcpy_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                     size_t srccount, const void *srclist, size_t srclen) {
    return region_copy_nb(NB_bupc_memcpy_ilist_async, region_ilist(REGION_SHARED, dstcount, dstlist, dstlen),
                region_ilist(REGION_SHARED, srccount, srclist, srclen));
}

void bupc_memput_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                       const void *srclist, size_t srclen) {
    region_copy("bupc_memput_ilist", region_ilist(REGION_SHARED, dstcount, dstlist, dstlen),
                region_ilist(REGION_PRIVATE, srccount, srclist, srclen));
}

upc_handle_t bupc_memput_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                     size_t srccount, const void *srclist, size_t srclen) {
    return region_copy_nb(NB_bupc_memput_ilist_async, region_ilist(REGION_SHARED, dstcount, dstlist, dstlen),
                region_ilist(REGION_PRIVATE, srccount, srclist, srclen));
}

void bupc_memget_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                       const void *srclist, size_t srclen) {
    region_copy("bupc_memget_ilist", region_ilist(REGION_PRIVATE, dstcount, dstlist, dstlen),
                region_ilist(REGION_SHARED, srccount, srclist, srclen));
}

upc_handle_t bupc_memget_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                     size_t srccount, const void *srclist, size_t srclen) {
    return region_copy_nb(NB_bupc_memget_ilist_async, region_ilist(REGION_PRIVATE, dstcount, dstlist, dstlen),
                region_ilist(REGION_SHARED, srccount, srclist, srclen));
}

void bupc_memcpy_fstrided(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount) {
    fstrided("bupc_memcpy_fstrided",
             (struct chunks){REGION_SHARED, dst, dstchunklen, dstchunkstride, dstchunkcount},
             (struct chunks){REGION_SHARED, src, srcchunklen, srcchunkstride, srcchunkcount});
}

upc_handle_t bupc_memcpy_fstrided_async(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                                        size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                                        size_t srcchunkstride, size_t srcchunkcount) {
    return fstrided_nb(NB_bupc_memcpy_fstrided_async,
             (struct chunks){REGION_SHARED, dst, dstchunklen, dstchunkstride, dstchunkcount},
             (struct chunks){REGION_SHARED, src, srcchunklen, srcchunkstride, srcchunkcount});
}

void bupc_memput_fstrided(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, const void *src, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount) {
    fstrided("bupc_memput_fstrided",
             (struct chunks){REGION_SHARED, dst, dstchunklen, dstchunkstride, dstchunkcount},
             (struct chunks){REGION_PRIVATE, (uint64_t)src, srcchunklen, srcchunkstride,
                             srcchunkcount});
}

upc_handle_t bupc_memput_fstrided_async(upcr_pts dst, size_t dstchunklen, size_t dstchunkstride,
                                        size_t dstchunkcount, const void *src, size_t srcchunklen,
                                        size_t srcchunkstride, size_t srcchunkcount) {
    return fstrided_nb(NB_bupc_memput_fstrided_async,
             (struct chunks){REGION_SHARED, dst, dstchunklen, dstchunkstride, dstchunkcount},
             (struct chunks){REGION_PRIVATE, (uint64_t)src, srcchunklen, srcchunkstride,
                             srcchunkcount});
}

void bupc_memget_fstrided(void *dst, size_t dstchunklen, size_t dstchunkstride,
                          size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                          size_t srcchunkstride, size_t srcchunkcount) {
    fstrided("bupc_memget_fstrided",
             (struct chunks){REGION_PRIVATE, (uint64_t)dst, dstchunklen, dstchunkstride,
                             dstchunkcount},
             (struct chunks){REGION_SHARED, src, srcchunklen, srcchunkstride, srcchunkcount});
}

upc_handle_t bupc_memget_fstrided_async(void *dst, size_t dstchunklen, size_t dstchunkstride,
                                        size_t dstchunkcount, upcr_pts src, size_t srcchunklen,
                                        size_t srcchunkstride, size_t srcchunkcount) {
    return fstrided_nb(NB_bupc_memget_fstrided_async,
             (struct chunks){REGION_PRIVATE, (uint64_t)dst, dstchunklen, dstchunkstride,
                             dstchunkcount},
             (struct chunks){REGION_SHARED, src, srcchunklen, srcchunkstride, srcchunkcount});
}

void bupc_memcpy_strided(upcr_pts dst, const size_t dststrides[], upcr_pts src,
                         const size_t srcstrides[], const size_t count[], size_t levels) {
    region_copy("bupc_memcpy_strided",
                region_strided(REGION_SHARED, dst, dststrides, count, levels),
                region_strided(REGION_SHARED, src, srcstrides, count, levels));
}

upc_handle_t bupc_memcpy_strided_async(upcr_pts dst, const size_t dststrides[], upcr_pts src,
                                       const size_t srcstrides[], const size_t count[],
                                       size_t levels) {
    return region_copy_nb(NB_bupc_memcpy_strided_async,
                region_strided(REGION_SHARED, dst, dststrides, count, levels),
                region_strided(REGION_SHARED, src, srcstrides, count, levels));
}

void bupc_memput_strided(upcr_pts dst, const size_t dststrides[], const void *src,
                         const size_t srcstrides[], const size_t count[], size_t levels) {
    region_copy("bupc_memput_strided",
                region_strided(REGION_SHARED, dst, dststrides, count, levels),
                region_strided(REGION_PRIVATE, (uint64_t)src, srcstrides, count, levels));
}

upc_handle_t bupc_memput_strided_async(upcr_pts dst, const size_t dststrides[], const void *src,
                                       const size_t srcstrides[], const size_t count[],
                                       size_t levels) {
    return region_copy_nb(NB_bupc_memput_strided_async,
                region_strided(REGION_SHARED, dst, dststrides, count, levels),
                region_strided(REGION_PRIVATE, (uint64_t)src, srcstrides, count, levels));
}

void bupc_memget_strided(void *dst, const size_t dststrides[], upcr_pts src,
                         const size_t srcstrides[], const size_t count[], size_t levels) {
    region_copy("bupc_memget_strided",
                region_strided(REGION_PRIVATE, (uint64_t)dst, dststrides, count, levels),
                region_strided(REGION_SHARED, src, srcstrides, count, levels));
}

upc_handle_t bupc_memget_strided_async(void *dst, const size_t dststrides[], upcr_pts src,
                                       const size_t srcstrides[], const size_t count[],
                                       size_t levels) {
    return region_copy_nb(NB_bupc_memget_strided_async,
                region_strided(REGION_PRIVATE, (uint64_t)dst, dststrides, count, levels),
                region_strided(REGION_SHARED, src, srcstrides, count, levels));
}
