/* SPDX-License-Identifier: BSD-3-Clause */
/* What all collective functions of the library have in common. */
#ifndef FL_UPC_COLLECTIVE_H
#define FL_UPC_COLLECTIVE_H

#include "upc/argument.h"
#include "upc/process.h"

FL_COLD _Noreturn void upc_collective_refuse(enum upc_barrier_use use);

/* Each collective function begins with this: it returns the calling thread, or ends the job if no
 * collective function may be called here (UPC 1.3 6.6.1p3). Does not wait. */
static inline struct upc_thread *upc_collective_enter(enum upc_barrier_use use) {
    struct upc_thread *self = upc_self;
    if (FL_UNLIKELY(!self || self->barrier.notified)) {
        upc_collective_refuse(use);
    }
    return self;
}

enum { UPC_MOST_ARGUMENTS = 6 };

/* In a collective function of a program that checks for misuse (upc_process.check): ends the job if
 * the threads call different functions, or with different arguments. Waits for all threads. */
void upc_collective_agree(enum upc_barrier_use use, const struct upc_argument *arguments,
                          unsigned count);
/* The same by the members of a call's team. */
void upc_collective_agree_in(const struct fl_coll_call *call, const struct upc_argument *arguments,
                             unsigned count);

/* Chooses how a team performs its operations. */
void upc_collective_choose(struct fl_coll_choices *choices, const struct fl_coll_team *team);

#endif
