/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses that a thread has made since it synchronised last, by lines of memory. The first one to
 * a line is recorded in the shadow at once; emitted code adds the others to the line by itself
 * (upcr_check_hit), and they are recorded together: when another line takes the place of this one,
 * and before the thread synchronises. Until then what it knows of the other threads is the same, so
 * the same races are found, if later.
 */
#ifndef FL_CHECK_LINES_H
#define FL_CHECK_LINES_H

#include "check/check.h"

/* After the first access to a line has been recorded; others than reads and writes are not added. */
void check_lines_open(uint64_t address, unsigned access, const char *file, int line);

/* Records all; before the thread's clocks change, and before memory is freed. */
void check_lines_record(void);

#endif
