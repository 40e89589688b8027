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

/* On this host, and nobody counts. */
static inline bool is_plain(bool is_here) {
    return FL_LIKELY(is_here & !upc_trace_on);
}

/* The side of a copy that is of more interest. */
static uint64_t farther(uint64_t to, uint64_t from) {
    return fl_comm_is_here(to) && !fl_comm_is_here(from) ? from : to;
}

void upc_memcpy(upcr_pts dst, upcr_pts src, size_t n) {
    uint64_t to = upcr_address(dst), from = upcr_address(src);
    bool is_here = fl_comm_is_here(to) & fl_comm_is_here(from);
    if (is_plain(is_here)) {
        memmove((void *)to, (const void *)from, n);
        return;
    }
    uint64_t since = upc_trace_begin_at(farther(to, from), n);
    if (is_here) {
        memmove((void *)to, (const void *)from, n);
    } else {
        fl_comm_copy(to, from, n);
    }
    upc_trace_end_call_at(since, "copy", "upc_memcpy", farther(to, from), n);
}

void upc_memget(void *dst, upcr_pts src, size_t n) {
    uint64_t from = upcr_address(src);
    bool is_here = fl_comm_is_here(from);
    if (is_plain(is_here)) {
        memmove(dst, (const void *)from, n);
        return;
    }
    uint64_t since = upc_trace_begin_at(from, n);
    if (is_here) {
        memmove(dst, (const void *)from, n);
    } else {
        fl_comm_get(dst, from, n);
    }
    upc_trace_end_call_at(since, "read", "upc_memget", from, n);
}

void upc_memput(upcr_pts dst, const void *src, size_t n) {
    uint64_t to = upcr_address(dst);
    bool is_here = fl_comm_is_here(to);
    if (is_plain(is_here)) {
        memmove((void *)to, src, n);
        return;
    }
    uint64_t since = upc_trace_begin_at(to, n);
    if (is_here) {
        memmove((void *)to, src, n);
    } else {
        fl_comm_put_relaxed(to, src, n);
    }
    upc_trace_end_call_at(since, "write", "upc_memput", to, n);
}

void upc_memset(upcr_pts dst, int c, size_t n) {
    uint64_t to = upcr_address(dst);
    bool is_here = fl_comm_is_here(to);
    if (is_plain(is_here)) {
        memset((void *)to, c, n);
        return;
    }
    uint64_t since = upc_trace_begin_at(to, n);
    if (is_here) {
        memset((void *)to, c, n);
    } else {
        fl_comm_set(to, c, n);
    }
    upc_trace_end_call_at(since, "write", "upc_memset", to, n);
}
