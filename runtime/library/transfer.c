/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory transfers (UPC 1.3 7.2.5). Each side is a `shared [] char[n]`, so it is contiguous at one
 * thread. Old programs pass ranges that overlap or are equal, hence memmove, which costs no more.
 *
 * They are relaxed accesses: a small put to another host has ended by the thread's next fence.
 */
#include "comm/comm.h"
#include "core/fatal.h"
#include "library/upc.h"
#include "upc/process.h"
#include "upc/trace.h"

#include <stdatomic.h>
#include <string.h>

/* Memory that needs neither a message nor a record: that of this host, in jobs without -trace and
 * report. Empty until the first call, and always in other jobs: so one comparison decides. */
static struct {
    _Atomic uint64_t base, bytes;
} plain;

/* Relaxed: a thread that does not see it yet only takes the slower path; so does a size that no
 * memory has, which is a negative one most often. */
static inline bool is_plain(uint64_t address, size_t n) {
    uint64_t base = atomic_load_explicit(&plain.base, memory_order_relaxed);
    uint64_t bytes = atomic_load_explicit(&plain.bytes, memory_order_relaxed);
    return FL_LIKELY((address - base < bytes) & (n <= bytes));
}

static void learn_plain(void) {
    if (!upc_process.job.trace && !upc_process.params.report) {
        atomic_store_explicit(&plain.base, fl_comm_here.base, memory_order_relaxed);
        atomic_store_explicit(&plain.bytes, fl_comm_here.bytes, memory_order_relaxed);
    }
}

/* Neither a null pointer nor a wild one leads to bytes; nor need it, if there are none to be moved. */
static void check_side(const char *function, const char *side, uint64_t at, size_t n) {
    if (n > upc_process.space.segments_bytes) {
        fl_fatal(FL_CODE_BAD_ARGUMENT,
                 "%s: nbytes is %zu, more than shared memory holds; was it negative?", function, n);
    }
    if (n == 0 || fl_space_holds(&upc_process.space, at)) {
        return;
    }
    if (!at) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: %s is null", function, side);
    }
    fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: %s is 0x%llx, which is in no thread's shared memory",
             function, side, (unsigned long long)at);
}

/* The side of a copy that is recorded: the one on another host, if any. */
static uint64_t farther(uint64_t to, uint64_t from) {
    return fl_comm_is_here(to) && !fl_comm_is_here(from) ? from : to;
}

static FL_COLD void copy(uint64_t to, uint64_t from, size_t n) {
    learn_plain();
    check_side("upc_memcpy", "dst", to, n);
    check_side("upc_memcpy", "src", from, n);
    uint64_t at = farther(to, from), since = upc_trace_begin_at(at, n);
    if (fl_comm_is_here(to) && fl_comm_is_here(from)) {
        memmove((void *)to, (const void *)from, n);
    } else {
        fl_comm_copy(to, from, n);
    }
    upc_trace_end_call_at(since, "copy", "upc_memcpy", at, n);
}

static FL_COLD void get(void *dst, uint64_t from, size_t n) {
    learn_plain();
    check_side("upc_memget", "src", from, n);
    uint64_t since = upc_trace_begin_at(from, n);
    if (fl_comm_is_here(from)) {
        memmove(dst, (const void *)from, n);
    } else {
        fl_comm_get(dst, from, n);
    }
    upc_trace_end_call_at(since, "read", "upc_memget", from, n);
}

static FL_COLD void put(uint64_t to, const void *src, size_t n) {
    learn_plain();
    check_side("upc_memput", "dst", to, n);
    uint64_t since = upc_trace_begin_at(to, n);
    if (fl_comm_is_here(to)) {
        memmove((void *)to, src, n);
    } else {
        fl_comm_put_relaxed(to, src, n);
    }
    upc_trace_end_call_at(since, "write", "upc_memput", to, n);
}

static FL_COLD void set(uint64_t to, int c, size_t n) {
    learn_plain();
    check_side("upc_memset", "dst", to, n);
    uint64_t since = upc_trace_begin_at(to, n);
    if (fl_comm_is_here(to)) {
        memset((void *)to, c, n);
    } else {
        fl_comm_set(to, c, n);
    }
    upc_trace_end_call_at(since, "write", "upc_memset", to, n);
}

void upc_memcpy(upcr_pts dst, upcr_pts src, size_t n) {
    uint64_t to = upcr_address(dst), from = upcr_address(src);
    if (is_plain(to, n) & is_plain(from, n)) {
        memmove((void *)to, (const void *)from, n);
    } else {
        copy(to, from, n);
    }
}

void upc_memget(void *dst, upcr_pts src, size_t n) {
    uint64_t from = upcr_address(src);
    if (is_plain(from, n)) {
        memmove(dst, (const void *)from, n);
    } else {
        get(dst, from, n);
    }
}

void upc_memput(upcr_pts dst, const void *src, size_t n) {
    uint64_t to = upcr_address(dst);
    if (is_plain(to, n)) {
        memmove((void *)to, src, n);
    } else {
        put(to, src, n);
    }
}

void upc_memset(upcr_pts dst, int c, size_t n) {
    uint64_t to = upcr_address(dst);
    if (is_plain(to, n)) {
        memset((void *)to, c, n);
    } else {
        set(to, c, n);
    }
}
