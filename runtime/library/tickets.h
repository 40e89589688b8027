/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tickets: handles that are not null. A ticket is a number that names the thread and the function
 * that made it, valid once, with a counter of the transfers for which it stands. This file starts
 * and ends no transfers.
 */
#ifndef FL_LIBRARY_TICKETS_H
#define FL_LIBRARY_TICKETS_H

#include <stddef.h>

typedef struct upcr_transfer *upc_handle_t;

struct fl_comm_op;

enum nb_call {
#define NB_CALL(name) NB_##name,
#include "library/nb_calls.def"
#undef NB_CALL
    NB_CALLS
};

/* "upc_memcpy_nb" */
const char *nb_call_name(enum nb_call call);

/* A new handle of the calling thread, whose counter, at zero, goes to *op_p; null, the complete
 * handle, if there are too many, or in a foreign thread without -nopthreads. */
upc_handle_t nb_ticket_open(enum nb_call call, struct fl_comm_op **op_p);

/* The counter. Fatal, in a message that names `by`, if the handle is not an open one of the calling
 * thread. */
struct fl_comm_op *nb_ticket_op(upc_handle_t handle, const char *by);

/* Closes an open handle, whose counter is zero again. It is invalid from now on. */
void nb_ticket_close(upc_handle_t handle);

#endif
