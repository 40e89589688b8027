/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a handle is, unless it is null: a number that names the thread and the function that made
 * it, valid once, with a count of the transfers that it stands for. Starts and ends none.
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

/* A new handle of the calling thread, whose count, at zero, goes to *op_p; null, the complete
 * handle, if there are too many. */
upc_handle_t nb_ticket_open(enum nb_call call, struct fl_comm_op **op_p);

/* The count. Fatal, in the name of `by`, if the handle is not an open one of the calling thread. */
struct fl_comm_op *nb_ticket_op(upc_handle_t handle, const char *by);

/* The handle, which is one and whose count is zero again, is used up. */
void nb_ticket_close(upc_handle_t handle);

#endif
