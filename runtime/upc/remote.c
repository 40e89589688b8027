/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of compiled code to memory that may be another host's. */
#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/abi.h"
#include "upc/process.h"
#include "upc/trace.h"

#include <string.h>

/* Scalars in shared memory, wherever a packed struct put them. */
typedef uint16_t __attribute__((aligned(1), may_alias)) scalar16;
typedef uint32_t __attribute__((aligned(1), may_alias)) scalar32;
typedef uint64_t __attribute__((aligned(1), may_alias)) scalar64;

/* What is on this host is accessed as a whole if it is a scalar: others may look at the same time. */
static void copy(volatile void *to, const volatile void *from, unsigned long bytes) {
    switch (bytes) {
    case 1:
        *(volatile unsigned char *)to = *(const volatile unsigned char *)from;
        break;
    case 2:
        *(volatile scalar16 *)to = *(const volatile scalar16 *)from;
        break;
    case 4:
        *(volatile scalar32 *)to = *(const volatile scalar32 *)from;
        break;
    case 8:
        *(volatile scalar64 *)to = *(const volatile scalar64 *)from;
        break;
    default:
        memmove((void *)to, (const void *)from, bytes);
    }
}

/* Whoever comes here with an address that no segment holds would have a segmentation fault if the
 * access were a plain one; here the place in the program can be said. */
static void check(const volatile void *address, const char *file, int line) {
    if (FL_LIKELY(fl_space_holds(&upc_process.space, (uint64_t)address))) {
        return;
    }
    if (!address) {
        fl_fatal(FL_CODE_BAD_ADDRESS, "%s:%d: an access through a null pointer-to-shared", file,
                 line);
    }
    fl_fatal(FL_CODE_BAD_ADDRESS, "%s:%d: an access to address 0x%llx, which is in no thread's "
                                  "shared memory",
             file, line, (unsigned long long)address);
}

static void get(void *to, const volatile void *from, unsigned long bytes, const char *file,
                int line) {
    check(from, file, line);
    if (fl_comm_is_here((uint64_t)from)) {
        copy(to, from, bytes);
    } else {
        fl_comm_get(to, (uint64_t)from, bytes);
    }
}

static void put(volatile void *to, const void *from, unsigned long bytes, const char *file,
                int line) {
    check(to, file, line);
    if (fl_comm_is_here((uint64_t)to)) {
        copy(to, from, bytes);
    } else {
        fl_comm_put_relaxed((uint64_t)to, from, bytes);
    }
}

/* What upcr_fence does, as a part of the access. */
static void fence(void) {
    fl_comm_quiet();
    atomic_thread_fence(memory_order_seq_cst);
}

void *upcr_get(void *to, const volatile void *from, unsigned long bytes, const char *file,
               int line) {
    uint64_t since = upc_trace_begin();
    get(to, from, bytes, file, line);
    upc_trace_end(since, "read", file, line, bytes);
    return to;
}

_Static_assert(sizeof(struct fl_comm_op) == sizeof(struct upcr_reads), "upcr_reads is one");

void *upcr_get_start(void *to, const volatile void *from, unsigned long bytes, const char *file,
                     int line, struct upcr_reads *reads) {
    uint64_t since = upc_trace_begin();
    check(from, file, line);
    if (fl_comm_is_here((uint64_t)from)) {
        copy(to, from, bytes);
    } else {
        fl_comm_get_nb(to, (uint64_t)from, bytes, (struct fl_comm_op *)&reads->pending);
    }
    upc_trace_end(since, "read", file, line, bytes);
    return to;
}

void upcr_get_finish(struct upcr_reads *reads, const char *file, int line) {
    uint64_t since = upc_trace_begin();
    fl_comm_wait((struct fl_comm_op *)&reads->pending);
    upc_trace_end_wait(since, "read", file, line);
}

void upcr_get_several(const struct upcr_read *reads, unsigned n, const char *file) {
    uint64_t since = upc_trace_begin();
    struct fl_comm_piece pieces[UPCR_READS];
    struct fl_comm_op op = {0};
    size_t n_away = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct upcr_read *read = &reads[i];
        check(read->from, file, read->line);
        if (fl_comm_is_here((uint64_t)read->from)) {
            copy(read->to, read->from, read->bytes);
        } else {
            pieces[n_away++] =
                (struct fl_comm_piece){(uint64_t)read->from, read->to, read->bytes};
        }
    }
    fl_comm_get_pieces_nb(pieces, n_away, &op);
    fl_comm_wait(&op);
    /* The first one's line has the time of all. */
    for (unsigned i = 0; i < n; i++) {
        upc_trace_end(since, "read", file, reads[i].line, reads[i].bytes);
        since = upc_trace_begin();
    }
}

void upcr_put(volatile void *to, const void *from, unsigned long bytes, const char *file,
              int line) {
    uint64_t since = upc_trace_begin();
    put(to, from, bytes, file, line);
    upc_trace_end(since, "write", file, line, bytes);
}

void *upcr_get_twin(void *to, const volatile void *from, unsigned long bytes, const char *file,
                    int line) {
    upcr_get(to, from, bytes, file, line);
    memcpy((char *)to + bytes, to, bytes);
    return to;
}

void upcr_put_changed(volatile void *to, const void *twins, unsigned long bytes, const char *file,
                      int line) {
    const char *new = twins, *old = new + bytes;
    for (unsigned long at = 0, n; at < bytes; at += n + 1) {
        n = 0;
        while (at + n < bytes && new[at + n] != old[at + n]) {
            n++;
        }
        if (n) {
            upcr_put((volatile char *)to + at, new + at, n, file, line);
        }
    }
}

void *upcr_get_strict(void *to, const volatile void *from, unsigned long bytes, const char *file,
                      int line) {
    uint64_t since = upc_trace_begin();
    fence();
    get(to, from, bytes, file, line);
    fence();
    upc_trace_end(since, "strict-read", file, line, bytes);
    return to;
}

void upcr_put_strict(volatile void *to, const void *from, unsigned long bytes, const char *file,
                     int line) {
    uint64_t since = upc_trace_begin();
    fence();
    put(to, from, bytes, file, line);
    fence();
    upc_trace_end(since, "strict-write", file, line, bytes);
}

void upcr_quiet(void) {
    uint64_t since = upc_trace_begin();
    fl_comm_quiet();
    upc_trace_end_call(since, "fence", "upc_fence", 0);
}
