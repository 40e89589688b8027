/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files by descriptor: what a library for parallel I/O asks of the operating system beside the
 * transfer of data. Each descriptor belongs to the process; positions are always arguments, so any
 * threads may use one at once. Knows nothing of pointers-to-shared or of the job's threads.
 *
 * Functions return 0, or a negative errno value; errno itself is left alone. They block as long as
 * the device does, and start again after a signal.
 */
#ifndef FL_IO_FILE_H
#define FL_IO_FILE_H

#include "core/status.h"

#include <stddef.h>

/* Opens, with the flags and the mode of open(2); the descriptor is closed by exec. Directories,
 * pipes and sockets, in which there are no positions, are refused. */
FL_MUST_USE int fl_io_open(const char *name, int flags, unsigned mode, int *fd_p);
void fl_io_close(int fd);

/* Takes permissions away from the file, if it can. */
void fl_io_forbid(int fd, unsigned mode);

/* On the device, with all that any process wrote to the file. */
FL_MUST_USE int fl_io_sync(int fd);

FL_MUST_USE int fl_io_size(int fd, int64_t *size_p);
FL_MUST_USE int fl_io_resize(int fd, int64_t size);

/* Lets the first `size` bytes exist on the device; the file grows if it was shorter. */
FL_MUST_USE int fl_io_reserve(int fd, int64_t size);

/* Says how the file will be accessed: one of POSIX_FADV_*. Advice only. */
void fl_io_advise(int fd, int advice);

/* Which file it is: two descriptors of one file give the same number; so they do on several hosts,
 * which have different numbers for a device, unless `one_host`. 0 if that is not known. */
uint64_t fl_io_identity(int fd, bool one_host);

#endif
