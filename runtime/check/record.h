/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that are inside their objects go into the shadow, and the accesses that they race with are
 * reported. Nothing is recorded if there is one thread: it has nothing to race with. A word is one
 * of the shadow's (shadow.h), without a mask unless it is for one cell.
 */
#ifndef FL_CHECK_RECORD_H
#define FL_CHECK_RECORD_H

#include "check/shadow.h"

/* To one cell; to a range. */
void check_record(uint64_t address, uint64_t word);
void check_record_range(uint64_t address, uint64_t bytes, uint64_t word);

/*
 * Reads and writes that end at once, with the thread's present time: what has been recorded with
 * the same time is not recorded again.
 */

/* To a line that begins at the address: bit i of `bytes` stands for byte i. The caller ends the
 * batch (bias.h). */
void check_record_line(uint64_t address, uint64_t bytes, uint64_t word);
/* To n elements, `stride` bytes apart. */
void check_record_sweep(uint64_t address, uint64_t stride, uint64_t n, uint64_t bytes,
                        uint64_t word);

#endif
