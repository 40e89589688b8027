/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of compiled code to many places at once, and updates whose result is not used. */
#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/abi.h"
#include "upc/remote.h"
#include "upc/trace.h"

#include <string.h>

_Static_assert((int)UPCR_ELEMENT == (int)FL_COMM_ELEMENT, "what is gathered is an element");

static void check_all(const unsigned long *at, unsigned n, const char *file, int line) {
    for (unsigned i = 0; i < n; i++) {
        upc_remote_check((const void *)at[i], file, line);
    }
}

void upcr_gather_start(void *to, const unsigned long *at, unsigned n, unsigned long bytes,
                       const char *file, int line, struct upcr_reads *reads) {
    uint64_t since = upc_trace_begin();
    check_all(at, n, file, line);
    fl_comm_gather_nb(to, at, n, bytes, (struct fl_comm_op *)&reads->pending);
    upc_trace_end_many(since, "read", file, line, at, n, bytes);
}

void upcr_scatter(const unsigned long *at, const void *from, unsigned n, unsigned long bytes,
                  const char *file, int line) {
    uint64_t since = upc_trace_begin();
    check_all(at, n, file, line);
    for (unsigned i = 0; i < n; i++) {
        fl_comm_put_relaxed(at[i], (const char *)from + i * bytes, bytes);
    }
    upc_trace_end_many(since, "write", file, line, at, n, bytes);
}

static const enum fl_comm_atomic updates[] = {
    [UPCR_ADD] = FL_COMM_ADD, [UPCR_SUB] = FL_COMM_SUB, [UPCR_AND] = FL_COMM_AND,
    [UPCR_OR] = FL_COMM_OR,   [UPCR_XOR] = FL_COMM_XOR, [UPCR_ADD_FLOAT] = FL_COMM_ADD,
};

static enum fl_comm_type type_of(int what, unsigned long bytes) {
    switch (bytes) {
    case 1:
        return FL_COMM_U8;
    case 2:
        return FL_COMM_U16;
    case 4:
        return what == UPCR_ADD_FLOAT ? FL_COMM_F32 : FL_COMM_U32;
    default:
        return what == UPCR_ADD_FLOAT ? FL_COMM_F64 : FL_COMM_U64;
    }
}

static inline void update(enum fl_comm_atomic what, enum fl_comm_type type, uint64_t at,
                          uint64_t value, struct fl_comm_op *op) {
    if (fl_comm_is_here(at)) {
        fl_comm_update_here(what, type, (void *)at, value);
    } else {
        fl_comm_update_aggregated(FL_COMM_PLAIN, what, type, at, value, op);
    }
}

void upcr_update(int what, volatile void *at, unsigned long value, unsigned long bytes,
                 const char *file, int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)at, bytes);
    upc_remote_check(at, file, line);
    update(updates[what], type_of(what, bytes), (uint64_t)at, value, fl_comm_relaxed());
    upc_trace_end_at(since, "update", file, line, (uint64_t)at, bytes);
}

void upcr_update_many(int what, const unsigned long *at, const void *values, unsigned n,
                      unsigned long bytes, const char *file, int line) {
    uint64_t since = upc_trace_begin();
    struct fl_comm_op *op = fl_comm_relaxed();
    enum fl_comm_type type = type_of(what, bytes);
    check_all(at, n, file, line);
    for (unsigned i = 0; i < n; i++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)values + i * bytes, bytes);
        update(updates[what], type, at[i], value, op);
    }
    upc_trace_end_many(since, "update", file, line, at, n, bytes);
}
