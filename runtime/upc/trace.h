/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the time goes that threads spend with other hosts' memory and with waiting for each other:
 * what upcrun -trace prints. Each thread counts for itself, by line of the program and kind of
 * operation, and tells the launcher at its end. Functions of the library do not know where they are
 * called: they count under their names, as line 0.
 *
 * Time is that in the call. A relaxed write takes its time elsewhere: where the thread waits for
 * its writes, or for room.
 */
#ifndef FL_UPC_TRACE_H
#define FL_UPC_TRACE_H

#include "core/status.h"
#include "platform/os.h"

/* Whether the calling thread counts: from the begin of its main, under upcrun -trace. */
extern _Thread_local bool upc_trace_on;

/* The calling thread's main begins. */
void upc_trace_start(void);

/* Texts live as long as the program. `what` is one word. */
FL_COLD void upc_trace_add(uint64_t since, const char *what, const char *file, int line,
                           unsigned operations, size_t bytes);

/* Before an operation; the result is for the call after it. */
static inline uint64_t upc_trace_begin(void) {
    return FL_UNLIKELY(upc_trace_on) ? fl_os_now_ns() : 0;
}

static inline void upc_trace_end_many(uint64_t since, const char *what, const char *file, int line,
                                      unsigned operations, size_t bytes) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add(since, what, file, line, operations, bytes);
    }
}

static inline void upc_trace_end(uint64_t since, const char *what, const char *file, int line,
                                 size_t bytes) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add(since, what, file, line, 1, bytes);
    }
}

/* The end of operations that have been counted when they started. */
static inline void upc_trace_end_wait(uint64_t since, const char *what, const char *file,
                                      int line) {
    if (FL_UNLIKELY(since)) {
        upc_trace_add(since, what, file, line, 0, 0);
    }
}

/* The same for functions of the library. */
static inline void upc_trace_end_call(uint64_t since, const char *what, const char *function,
                                      size_t bytes) {
    upc_trace_end(since, what, function, 0, bytes);
}

#endif
