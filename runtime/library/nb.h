/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers that outlive the call that initiates them, and their handles: the layer between the
 * functions that programs call and comm, which moves the bytes. Transfers within this host are
 * complete when the call returns, and their handle is null, the complete one; others go on by
 * themselves, and their handle is a ticket (tickets.h). In programs that check for misuse, all have
 * tickets.
 */
#ifndef FL_LIBRARY_NB_H
#define FL_LIBRARY_NB_H

#include "comm/comm.h"
#include "library/tickets.h"
#include "upc/process.h"

#include <string.h>

/* A call that initiates transfers, which `op` counts. */
struct nb_start {
    upc_handle_t handle; /* null: there is no ticket, so the call waits */
    struct fl_comm_op *op;
    struct fl_comm_op own;
};

void nb_begin(struct nb_start *start, enum nb_call call);

/* Returns the handle, when all transfers have been initiated. */
upc_handle_t nb_begun(struct nb_start *start);

/* Initiate one transfer of which a side is not on this host, and return its handle. */
FL_COLD upc_handle_t nb_copy_far(enum nb_call call, uint64_t to, uint64_t from, size_t n);
FL_COLD upc_handle_t nb_get_far(enum nb_call call, void *to, uint64_t from, size_t n);
FL_COLD upc_handle_t nb_put_far(enum nb_call call, uint64_t to, const void *from, size_t n);
FL_COLD upc_handle_t nb_set_far(enum nb_call call, uint64_t to, int byte, size_t n);

/* A handle of a transfer that is complete. */
static inline upc_handle_t nb_over(enum nb_call call) {
    struct fl_comm_op *op;
    return FL_LIKELY(!upc_process.check) ? NULL : nb_ticket_open(call, &op);
}

/* Initiate what upc_memcpy and the others do. */
static inline upc_handle_t nb_copy(enum nb_call call, upcr_pts dst, upcr_pts src, size_t n) {
    uint64_t to = upcr_address(dst), from = upcr_address(src);
    if (FL_UNLIKELY(!(fl_comm_is_here(to) & fl_comm_is_here(from)))) {
        return nb_copy_far(call, to, from, n);
    }
    memmove((void *)to, (const void *)from, n);
    return nb_over(call);
}

static inline upc_handle_t nb_get(enum nb_call call, void *dst, upcr_pts src, size_t n) {
    uint64_t from = upcr_address(src);
    if (FL_UNLIKELY(!fl_comm_is_here(from))) {
        return nb_get_far(call, dst, from, n);
    }
    memmove(dst, (const void *)from, n);
    return nb_over(call);
}

static inline upc_handle_t nb_put(enum nb_call call, upcr_pts dst, const void *src, size_t n) {
    uint64_t to = upcr_address(dst);
    if (FL_UNLIKELY(!fl_comm_is_here(to))) {
        return nb_put_far(call, to, src, n);
    }
    memmove((void *)to, src, n);
    return nb_over(call);
}

static inline upc_handle_t nb_set(enum nb_call call, upcr_pts dst, int byte, size_t n) {
    uint64_t to = upcr_address(dst);
    if (FL_UNLIKELY(!fl_comm_is_here(to))) {
        return nb_set_far(call, to, byte, n);
    }
    memset((void *)to, byte, n);
    return nb_over(call);
}

FL_COLD void nb_wait_slow(upc_handle_t handle, const char *by);
FL_COLD int nb_try_slow(upc_handle_t handle, const char *by);

/* Waits for the transfers and ends them; `by` is the function that the program called. */
static inline void nb_wait(upc_handle_t handle, const char *by) {
    if (FL_UNLIKELY(handle)) {
        nb_wait_slow(handle, by);
    }
}

/* Ends the transfers if they are complete: nonzero then. */
static inline int nb_try(upc_handle_t handle, const char *by) {
    return FL_LIKELY(!handle) || nb_try_slow(handle, by);
}

/* The counter of the calling thread's transfers without handles. nb_implicit_use replaces it by
 * `op`, until it is called with null. */
struct fl_comm_op *nb_implicit(void);
void nb_implicit_use(struct fl_comm_op *op);

/* Initiate such a transfer of which a side is not on this host. */
FL_COLD void nb_copy_far_implicit(uint64_t to, uint64_t from, size_t n);
FL_COLD void nb_get_far_implicit(void *to, uint64_t from, size_t n);
FL_COLD void nb_put_far_implicit(uint64_t to, const void *from, size_t n);
FL_COLD void nb_set_far_implicit(uint64_t to, int byte, size_t n);

static inline void nb_copy_implicit(upcr_pts dst, upcr_pts src, size_t n) {
    uint64_t to = upcr_address(dst), from = upcr_address(src);
    if (FL_LIKELY(fl_comm_is_here(to) & fl_comm_is_here(from))) {
        memmove((void *)to, (const void *)from, n);
    } else {
        nb_copy_far_implicit(to, from, n);
    }
}

static inline void nb_get_implicit(void *dst, upcr_pts src, size_t n) {
    uint64_t from = upcr_address(src);
    if (FL_LIKELY(fl_comm_is_here(from))) {
        memmove(dst, (const void *)from, n);
    } else {
        nb_get_far_implicit(dst, from, n);
    }
}

static inline void nb_put_implicit(upcr_pts dst, const void *src, size_t n) {
    uint64_t to = upcr_address(dst);
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memmove((void *)to, src, n);
    } else {
        nb_put_far_implicit(to, src, n);
    }
}

static inline void nb_set_implicit(upcr_pts dst, int byte, size_t n) {
    uint64_t to = upcr_address(dst);
    if (FL_LIKELY(fl_comm_is_here(to))) {
        memset((void *)to, byte, n);
    } else {
        nb_set_far_implicit(to, byte, n);
    }
}

/* Wait for all of them; try: nonzero if all are complete. */
void nb_wait_implicit(void);
int nb_try_implicit(void);

#endif
