/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread of the process that works beside the one that asks it, one piece of work at a time. It
 * sleeps while there is none. It is no UPC thread: work that it does must not wait for others.
 */
#ifndef FL_IO_WORKER_H
#define FL_IO_WORKER_H

#include "core/wait.h"

struct fl_io_worker;
typedef void fl_io_work(void *argument);

/* Starts one. Null if the system has no thread to give. */
FL_MUST_USE struct fl_io_worker *fl_io_worker_start(void);

/* The worker ends and frees itself once it has no work. */
void fl_io_worker_end(struct fl_io_worker *worker);

/* Begins `work`; what was begun before must be over. Releases what the caller wrote. */
void fl_io_worker_begin(struct fl_io_worker *worker, fl_io_work *work, void *argument);

/* Whether the last work is over; then what it wrote is visible. */
bool fl_io_worker_done(struct fl_io_worker *worker);

/* Blocks until it is. */
void fl_io_worker_wait(struct fl_io_worker *worker, struct fl_wait_policy policy);

#endif
