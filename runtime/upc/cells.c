/* SPDX-License-Identifier: BSD-3-Clause */
/* Storage of what emitted code sees as constants: upcr_job and upcr_mythread. They are written
 * once, before any UPC code runs; here they have other C names, so that only this file and
 * start.c know that they are variables. */
#include "upc/cells.h"

static const unsigned long no_offset;

struct upcr_job upc_job_cell = {.threads = 1, .log2_segment = UPCR_LOG2_SPACE,
                                .stride = 1ul << UPCR_LOG2_SPACE,
                                .span = 1ul << UPCR_LOG2_SPACE,
                                .segments = &no_offset,
                                .bias = 1l << 45};
_Thread_local int upc_mythread_cell = -1;
_Thread_local int upcr_forall_depth;

/* Constructors of the program run in the first thread of the process, which will be a UPC thread or
 * was about to be one: they may call UPC functions. Before theirs, which have no number below. */
__attribute__((constructor(101))) static void prepare_first_thread(void) {
    upc_mythread_cell = 0;
}
