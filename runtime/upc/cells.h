/* SPDX-License-Identifier: BSD-3-Clause */
/* The writable side of upcr_job, upcr_mythread and upcr_heard; see cells.c. */
#ifndef FL_UPC_CELLS_H
#define FL_UPC_CELLS_H

#include "upc/abi.h"

extern struct upcr_job upc_job_cell __asm__("upcr_job") __attribute__((visibility("hidden")));
extern _Thread_local int upc_mythread_cell __asm__("upcr_mythread")
    __attribute__((visibility("hidden")));
extern int upc_heard_cell __asm__("upcr_heard") __attribute__((visibility("hidden")));

#endif
