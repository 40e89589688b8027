/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the time that threads spend with others' memory and with waiting for each other. Each
 * thread counts for itself, by line of the program and kind of operation: for upcrun -trace, which
 * prints operations with other hosts, in a table that the thread sends to the launcher at its end;
 * and for the report (core/record.h), which has all operations.
 *
 * Functions of the library do not know where they are called, unless upcr_called_from has said it
 * (upcc -inst): in the table they count under their names, as line 0.
 *
 * Only the time in the call is counted. Most of a relaxed write's time is counted elsewhere: where
 * the thread waits for its writes, or for room.
 */
#ifndef FL_UPC_TRACE_H
#define FL_UPC_TRACE_H

#include "core/status.h"
#include "platform/os.h"

enum {
    UPC_TRACE_UNTIMED = 1,      /* in place of the time: the operation is counted, but not timed */
    UPC_TRACE_TIMED_BYTES = 512 /* smaller accesses on this host are not timed */
};

/* Whether the calling thread counts operations: from the beginning of its main. */
extern _Thread_local bool upc_trace_on;

/* Opens the calling thread's recording, if one is wanted: before a barrier, as it takes a while. */
void upc_trace_prepare(void);

/* Called when the calling thread's main begins. */
void upc_trace_start(void);

/* Texts live as long as the program. `what` is one word. `at` is the shared memory that is accessed,
 * or the lock; 0: none. Line 0: `file` is the name of a function of the library. */
FL_COLD void upc_trace_add(uint64_t since, const char *what, const char *file, int line,
                           uint64_t at, unsigned operations, size_t bytes);

/* The same for `n` elements at any addresses, which have taken the time together. */
FL_COLD void upc_trace_add_many(uint64_t since, const char *what, const char *file, int line,
                                const unsigned long *at, unsigned n, size_t bytes);

FL_COLD uint64_t upc_trace_now(uint64_t at, size_t bytes);

/* Called when the memory in use in the calling thread's segment has changed. */
FL_COLD void upc_trace_memory(void);

FL_COLD void upc_trace_add_allocation(uint64_t since, const char *what, const char *function,
                                      size_t bytes);

/* Before an operation; the result is for the call after it. */
static inline uint64_t upc_trace_begin(void) {
    return FL_UNLIKELY(upc_trace_on) ? fl_os_now_ns() : 0;
}

/* The same before an access, which may be one to this host. */
static inline uint64_t upc_trace_begin_at(uint64_t at, size_t bytes) {
    return FL_UNLIKELY(upc_trace_on) ? upc_trace_now(at, bytes) : 0;
}

/* A wait for other threads. */
static inline void upc_trace_end(uint64_t since, const char *what, const char *file, int line) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add(since, what, file, line, 0, 1, 0);
    }
}

static inline void upc_trace_end_at(uint64_t since, const char *what, const char *file, int line,
                                    uint64_t at, size_t bytes) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add(since, what, file, line, at, 1, bytes);
    }
}

static inline void upc_trace_end_many(uint64_t since, const char *what, const char *file, int line,
                                      const unsigned long *at, unsigned n, size_t bytes) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add_many(since, what, file, line, at, n, bytes);
    }
}

/* The end of operations that have been counted when they started. */
static inline void upc_trace_end_wait(uint64_t since, const char *what, const char *file,
                                      int line) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add(since, what, file, line, 0, 0, 0);
    }
}

/* For the report alone: allocations do not wait for other threads. */
static inline void upc_trace_end_allocation(uint64_t since, const char *what, const char *function,
                                            size_t bytes) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add_allocation(since, what, function, bytes);
    }
}

/* The same for functions of the library. */
static inline void upc_trace_end_call(uint64_t since, const char *what, const char *function) {
    upc_trace_end(since, what, function, 0);
}

static inline void upc_trace_end_call_at(uint64_t since, const char *what, const char *function,
                                         uint64_t at, size_t bytes) {
    upc_trace_end_at(since, what, function, 0, at, bytes);
}

#endif
