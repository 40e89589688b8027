/* SPDX-License-Identifier: BSD-3-Clause */
/* Storage of upcr_job, upcr_mythread and upcr_heard, which emitted code sees as constants. They are written
 * once, before any UPC code runs; here they have other C names, so that only files that include
 * cells.h can write them. */
#include "upc/cells.h"

static const unsigned long no_offset;

struct upcr_job upc_job_cell = {.threads = 1, .log2_segment = UPCR_LOG2_SPACE,
                                .stride = 1ul << UPCR_LOG2_SPACE,
                                .span = 1ul << UPCR_LOG2_SPACE,
                                .segments = &no_offset,
                                .bias = 1l << 45};
_Thread_local int upc_mythread_cell = -1;
int upc_heard_cell;
_Thread_local int upcr_forall_depth;

/* Gives the first thread of the process a number, because constructors of the program run in it and
 * may call UPC functions. Priority 101, the first that programs may use, so before those. */
__attribute__((constructor(101))) static void prepare_first_thread(void) {
    upc_mythread_cell = 0;
}
