/* SPDX-License-Identifier: BSD-3-Clause */
/* The emitter ABI as the runtime itself sees it: THREADS is known only at run time. */
#ifndef FL_UPC_ABI_H
#define FL_UPC_ABI_H

enum {
    UPCR_STATIC_THREADS = 0,
    UPCR_NETWORK = 1,
    UPCR_PTHREADS = 1,
    UPCR_DEBUG = 0,
    UPCR_INST = 0,
    UPCR_CHECK = 0
};
#include "furlong/upcr.h"
#include "job/job.h"

_Static_assert((int)FL_JOB_THREADS_MOST == (int)UPCR_MAX_THREADS,
               "a job takes what upcc and upcrun allow");

#endif
