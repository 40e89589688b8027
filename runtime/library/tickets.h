/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a handle is while misuse is looked for (upc_process.check): a number that names the thread
 * and the function that made it, valid once. Knows nothing of transfers.
 */
#ifndef FL_LIBRARY_TICKETS_H
#define FL_LIBRARY_TICKETS_H

#include <stddef.h>

typedef struct upcr_transfer *upc_handle_t;

enum nb_call {
#define NB_CALL(name) NB_##name,
#include "library/nb_calls.def"
#undef NB_CALL
    NB_CALLS
};

/* A new handle of the calling thread; null, the complete handle, if there are too many. */
upc_handle_t nb_ticket_open(enum nb_call call);

/* Fatal, in the name of `by`, if the handle is not an open one of the calling thread. */
void nb_ticket_close(upc_handle_t handle, const char *by);

#endif
