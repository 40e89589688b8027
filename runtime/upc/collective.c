/* SPDX-License-Identifier: BSD-3-Clause */
/* See collective.h. */
#include "upc/collective.h"

#include "core/fatal.h"

void upc_collective_refuse(enum upc_barrier_use use) {
    const char *name = upc_barrier_names[use];
    if (!upc_self) {
        fl_fatal(FL_CODE_COLLECTIVE_PLACE,
                 "%s in a thread that is not a UPC thread; all UPC threads must call it", name);
    }
    const struct fl_barrier_record *notify =
        fl_barrier_last(&upc_process.barrier, &upc_self->barrier);
    fl_fatal(FL_CODE_COLLECTIVE_PLACE,
             "thread %u calls %s between upc_notify (%s:%d) and its upc_wait, where no collective "
             "function may be called; move it before the one or after the other",
             upc_self->me, name, notify->file, notify->line);
}
