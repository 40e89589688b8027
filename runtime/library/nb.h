/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers that outlive the call that initiates them, and their handles: the seam between the
 * functions that programs call and what moves the bytes. On one host all segments are memory of
 * this process, so a transfer is over when it has been initiated: whoever initiates one does the
 * work, then asks nb_started for the handle. Where bytes travel by themselves, they will begin and
 * end here.
 */
#ifndef FL_LIBRARY_NB_H
#define FL_LIBRARY_NB_H

#include "library/tickets.h"
#include "upc/process.h"

/* The handle of a transfer that `call` has initiated: null, the complete handle, unless somebody
 * wants to know what becomes of it. */
static inline upc_handle_t nb_started(enum nb_call call) {
    return FL_LIKELY(!upc_process.check) ? NULL : nb_ticket_open(call);
}

/* Waits for the transfer and ends it; `by` is the function that the program called. */
static inline void nb_wait(upc_handle_t handle, const char *by) {
    if (FL_UNLIKELY(handle)) {
        nb_ticket_close(handle, by);
    }
}

/* Ends the transfer if it is over: nonzero. */
static inline int nb_try(upc_handle_t handle, const char *by) {
    nb_wait(handle, by);
    return 1;
}

/* The same for all transfers of the calling thread that have no handle. */
static inline void nb_wait_implicit(void) {
}

static inline int nb_try_implicit(void) {
    return 1;
}

#endif
