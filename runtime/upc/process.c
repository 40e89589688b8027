/* SPDX-License-Identifier: BSD-3-Clause */
/* See process.h. */
#include "upc/process.h"

struct upc_process upc_process;
_Thread_local struct upc_thread *upc_self;

unsigned upc_me_or_first(void) {
    return upc_self ? upc_self->me : upc_process.job.first;
}
