/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory transfers (UPC 1.3 7.2.5). Each side is a `shared [] char[n]`, so it is contiguous at one
 * thread. Old programs pass ranges that overlap or are equal, so memmove; it costs nothing.
 *
 * They are relaxed accesses: a small put to another host has ended by the thread's next fence.
 */
#include "comm/comm.h"
#include "library/upc.h"
#include "upc/trace.h"

#include <string.h>

void upc_memcpy(upcr_pts dst, upcr_pts src, size_t n) {
    uint64_t to = upcr_address(dst), from = upcr_address(src);
    if (FL_LIKELY(fl_comm_is_here(to) & fl_comm_is_here(from))) {
        memmove((void *)to, (const void *)from, n);
    } else {
        uint64_t since = upc_trace_begin();
        fl_comm_copy(to, from, n);
        upc_trace_end_call(since, "copy", "upc_memcpy", n);
    }
}

void upc_memget(void *dst, upcr_pts src, size_t n) {
    uint64_t from = upcr_address(src);
    if (FL_LIKELY(fl_comm_is_here(from))) {
        memmove(dst, (const void *)from, n);
    } else {
        uint64_t since = upc_trace_begin();
        fl_comm_get(dst, from, n);
        upc_trace_end_call(since, "read", "upc_memget", n);
    }
}

void upc_memput(upcr_pts dst, const void *src, size_t n) {
    uint64_t to = upcr_address(dst);
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memmove((void *)to, src, n);
    } else {
        uint64_t since = upc_trace_begin();
        fl_comm_put_relaxed(to, src, n);
        upc_trace_end_call(since, "write", "upc_memput", n);
    }
}

void upc_memset(upcr_pts dst, int c, size_t n) {
    uint64_t to = upcr_address(dst);
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memset((void *)to, c, n);
    } else {
        uint64_t since = upc_trace_begin();
        fl_comm_set(to, c, n);
        upc_trace_end_call(since, "write", "upc_memset", n);
    }
}
