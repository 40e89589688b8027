/* SPDX-License-Identifier: BSD-3-Clause */
/* What all collective functions of the library have in common. */
#ifndef FL_UPC_COLLECTIVE_H
#define FL_UPC_COLLECTIVE_H

#include "upc/process.h"

FL_COLD _Noreturn void upc_collective_refuse(enum upc_barrier_use use);

/* The first thing a collective function does: the calling thread, or the end of the job if no
 * collective function may be called here (UPC 1.3 6.6.1p3). Does not wait. */
static inline struct upc_thread *upc_collective_enter(enum upc_barrier_use use) {
    struct upc_thread *self = upc_self;
    if (FL_UNLIKELY(!self || self->barrier.notified)) {
        upc_collective_refuse(use);
    }
    return self;
}

#endif
