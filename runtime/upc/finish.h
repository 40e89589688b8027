/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads and the process end: return from main, exit, upc_global_exit (docs/launch.md). */
#ifndef FL_UPC_FINISH_H
#define FL_UPC_FINISH_H

#include <stdbool.h>

/* Has exit(3) end the calling UPC thread. To be called before any UPC thread runs. */
void upc_finish_start(void);

/* Has the calling UPC thread run `work` when it ends: in order, before the final barrier, or not,
 * when the thread ends the job, right after `work`. At most UPC_ENDINGS for a thread. */
void upc_finish_also(void (*work)(bool in_order));

/* Ends the calling UPC thread, which has returned from main. Does not return. */
_Noreturn void upc_finish_main(int status);

/* UPC 1.3 7.2.1: ends all threads of the job, without a barrier. */
_Noreturn void upc_global_exit(int status);

#endif
