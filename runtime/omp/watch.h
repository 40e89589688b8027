/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that hang: what each thread waits for, if FURLONG_STALL_SECONDS is set. */
#ifndef FL_OMP_WATCH_H
#define FL_OMP_WATCH_H

#include "core/status.h"

/* Reads that setting. Once, while the environment is still this host's own: later on it comes from
 * another one's memory. */
void fl_omp_watch_read(void);

/* The calling thread uses OpenMP from here on, as this number; it no longer does. */
void fl_omp_watch_thread(unsigned number);
void fl_omp_watch_end(void);

/* The thread's wait has become slow; the wait is over. */
FL_COLD void fl_omp_wait_begin(const char *what, unsigned number);
FL_COLD void fl_omp_wait_end(void);

#endif
