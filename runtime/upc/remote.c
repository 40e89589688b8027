/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of compiled code to memory that may be another host's. */
#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/abi.h"
#include "upc/process.h"
#include "upc/remote.h"
#include "upc/trace.h"

#include <string.h>

/* Bytes from a null pointer on in which elements and members are taken to lie. */
#define NULL_BYTES (UINT64_C(1) << 32)

void upc_remote_bad_address(const volatile void *address, const char *file, int line) {
    if (!address) {
        fl_fatal(FL_CODE_BAD_ADDRESS, "%s:%d: an access through a null pointer-to-shared", file,
                 line);
    }
    if ((uintptr_t)address < NULL_BYTES) {
        fl_fatal(FL_CODE_BAD_ADDRESS, "%s:%d: an access through a null pointer-to-shared, %llu "
                                      "bytes behind it, as of an element or a member",
                 file, line, (unsigned long long)address);
    }
    fl_fatal(FL_CODE_BAD_ADDRESS, "%s:%d: an access to address 0x%llx, which is in no thread's "
                                  "shared memory",
             file, line, (unsigned long long)address);
}

typedef void reader(void *to, uint64_t from, size_t bytes);

static inline void get(void *to, const volatile void *from, unsigned long bytes, const char *file,
                       int line, reader *get_away) {
    upc_remote_check(from, file, line);
    if (fl_comm_is_here((uint64_t)from)) {
        upcr_copy_whole(to, from, bytes);
    } else {
        get_away(to, (uint64_t)from, bytes);
    }
}

static void put(volatile void *to, const void *from, unsigned long bytes, const char *file,
                int line) {
    upc_remote_check(to, file, line);
    if (fl_comm_is_here((uint64_t)to)) {
        upcr_copy_whole(to, from, bytes);
    } else {
        fl_comm_put_relaxed((uint64_t)to, from, bytes);
    }
}

/* Does what upcr_fence does, as a part of a strict access. No label: it orders accesses of the
 * compiled program. */
static void fence(void) {
    fl_comm_quiet();
    atomic_thread_fence(memory_order_seq_cst);
}

void *upcr_get(void *to, const volatile void *from, unsigned long bytes, const char *file,
               int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)from, bytes);
    get(to, from, bytes, file, line, fl_comm_get_relaxed);
    upc_trace_end_at(since, "read", file, line, (uint64_t)from, bytes);
    return to;
}

_Static_assert(sizeof(struct fl_comm_op) == sizeof(struct upcr_reads), "upcr_reads is one");
_Static_assert(sizeof(struct fl_read_copies) == sizeof(struct upcr_copies) &&
                   (int)FL_READ_LINE == (int)UPCR_LINE && (int)FL_READ_COPIES == (int)UPCR_COPIES,
               "upcr_copies is fl_read_copies");

void *upcr_get_start(void *to, const volatile void *from, unsigned long bytes, const char *file,
                     int line, struct upcr_reads *reads) {
    uint64_t since = upc_trace_begin_at((uint64_t)from, bytes);
    upc_remote_check(from, file, line);
    if (fl_comm_is_here((uint64_t)from)) {
        upcr_copy_whole(to, from, bytes);
    } else if (bytes <= FL_READ_CACHED) {
        fl_comm_get_relaxed(to, (uint64_t)from, bytes);
    } else if (bytes > FL_READ_RUN || !fl_read_cache_get_run(to, (uint64_t)from, bytes)) {
        fl_comm_get_nb(to, (uint64_t)from, bytes, (struct fl_comm_op *)&reads->pending);
    }
    upc_trace_end_at(since, "read", file, line, (uint64_t)from, bytes);
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
    unsigned n_away = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct upcr_read *read = &reads[i];
        upc_remote_check(read->from, file, read->line);
        if (fl_comm_is_here((uint64_t)read->from)) {
            upcr_copy_whole(read->to, read->from, read->bytes);
        } else {
            pieces[n_away++] =
                (struct fl_comm_piece){(uint64_t)read->from, read->to, read->bytes};
        }
    }
    fl_comm_get_pieces_relaxed(pieces, n_away);
    /* The time of all is counted at the first one's line. */
    for (unsigned i = 0; i < n; i++) {
        upc_trace_end_at(since, "read", file, reads[i].line, (uint64_t)reads[i].from, reads[i].bytes);
        since = upc_trace_begin();
    }
}

static FL_COLD void put_traced(volatile void *to, const volatile void *from, unsigned long bytes,
                               const char *file, int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)to, bytes);
    put(to, (const void *)from, bytes, file, line);
    upc_trace_end_at(since, "write", file, line, (uint64_t)to, bytes);
}

void upcr_put(volatile void *to, const volatile void *from, unsigned long bytes, const char *file,
              int line) {
    if (FL_UNLIKELY(upc_trace_on)) {
        put_traced(to, from, bytes, file, line);
    } else {
        put(to, (const void *)from, bytes, file, line);
    }
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
    uint64_t since = upc_trace_begin_at((uint64_t)from, bytes);
    fence();
    get(to, from, bytes, file, line, fl_comm_get);
    fence();
    upc_trace_end_at(since, "strict-read", file, line, (uint64_t)from, bytes);
    return to;
}

void upcr_put_strict(volatile void *to, const void *from, unsigned long bytes, const char *file,
                     int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)to, bytes);
    fence();
    put(to, from, bytes, file, line);
    fence();
    upc_trace_end_at(since, "strict-write", file, line, (uint64_t)to, bytes);
}

static enum fl_comm_type word_type(const volatile void *at, unsigned long bytes, const char *file,
                                   int line) {
    upc_remote_check(at, file, line);
    if ((uint64_t)at % bytes) {
        fl_fatal(FL_CODE_ATOMIC_MISUSE,
                 "%s:%d: an atomic operation on %lu bytes at address 0x%llx of another host, which "
                 "is no multiple of their number",
                 file, line, bytes, (unsigned long long)at);
    }
    switch (bytes) {
    case 1:
        return FL_COMM_U8;
    case 2:
        return FL_COMM_U16;
    case 4:
        return FL_COMM_U32;
    default:
        return FL_COMM_U64;
    }
}

static const enum fl_comm_atomic operations[] = {
    [UPCR_LOAD] = FL_COMM_GET, [UPCR_STORE] = FL_COMM_SET, [UPCR_EXCHANGE] = FL_COMM_SET,
    [UPCR_ADD] = FL_COMM_ADD,  [UPCR_SUB] = FL_COMM_SUB,   [UPCR_AND] = FL_COMM_AND,
    [UPCR_OR] = FL_COMM_OR,    [UPCR_XOR] = FL_COMM_XOR,   [UPCR_NAND] = FL_COMM_NAND,
};

/* The result of the operation on `old`. */
static uint64_t new_value(int what, uint64_t old, uint64_t operand) {
    switch (what) {
    case UPCR_ADD:
        return old + operand;
    case UPCR_SUB:
        return old - operand;
    case UPCR_AND:
        return old & operand;
    case UPCR_OR:
        return old | operand;
    case UPCR_XOR:
        return old ^ operand;
    default:
        return ~(old & operand);
    }
}

static uint64_t bits_of(const void *value, unsigned long bytes) {
    uint64_t bits = 0;
    memcpy(&bits, value, bytes);
    return bits;
}

void upcr_atomic(int what, const volatile void *at, void *value, unsigned long bytes,
                 const char *file, int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)at, bytes);
    int operation = what & ~UPCR_GIVE_NEW;
    enum fl_comm_type type = word_type(at, bytes, file, line);
    uint64_t operand = operation == UPCR_LOAD ? 0 : bits_of(value, bytes);
    uint64_t result = fl_comm_atomic(operations[operation], type, (uint64_t)at, operand, 0);
    if (what & UPCR_GIVE_NEW) {
        result = new_value(operation, result, operand);
    }
    if (operation != UPCR_STORE) {
        memcpy(value, &result, bytes);
    }
    upc_trace_end_at(since, "atomic", file, line, (uint64_t)at, bytes);
}

void upcr_atomic_update(int what, volatile void *at, const void *value, unsigned long bytes,
                        const char *file, int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)at, bytes);
    enum fl_comm_type type = word_type(at, bytes, file, line);
    enum fl_comm_atomic operation = operations[what & ~UPCR_GIVE_NEW];
    if (fl_comm_is_here((uint64_t)at)) {
        fl_comm_atomic(operation, type, (uint64_t)at, bits_of(value, bytes), 0);
    } else {
        fl_comm_update_aggregated(FL_COMM_ATOMIC, operation, type, (uint64_t)at,
                                  bits_of(value, bytes), fl_comm_relaxed());
    }
    upc_trace_end_at(since, "atomic", file, line, (uint64_t)at, bytes);
}

int upcr_atomic_swap(volatile void *at, void *expected, const void *desired, unsigned long bytes,
                     const char *file, int line) {
    uint64_t since = upc_trace_begin_at((uint64_t)at, bytes);
    enum fl_comm_type type = word_type(at, bytes, file, line);
    uint64_t wanted = bits_of(expected, bytes);
    uint64_t old =
        fl_comm_atomic(FL_COMM_CAS, type, (uint64_t)at, wanted, bits_of(desired, bytes));
    memcpy(expected, &old, bytes);
    upc_trace_end_at(since, "atomic", file, line, (uint64_t)at, bytes);
    return old == wanted;
}

void upcr_forget(void) {
    fl_read_cache_drop();
}

void upcr_quiet(void) {
    uint64_t since = upc_trace_begin();
    fl_comm_quiet();
    upc_trace_end_call(since, "fence", "upc_fence");
}

void upcr_fence_here(const char *file, int line) {
    (void)file;
    (void)line;
    upcr_fence();
}
