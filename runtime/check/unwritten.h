/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of allocated memory that nobody has written. Such memory is filled with a pattern, and a
 * read of it is reported if it gave the pattern. What writes to the memory need not be known
 * for this: neither pointers of C nor files make a report wrong.
 *
 * A read that is known only in part or before it is made is looked at when the thread synchronises:
 * the pattern that is still there then was there before.
 */
#ifndef FL_CHECK_UNWRITTEN_H
#define FL_CHECK_UNWRITTEN_H

#include "check/check.h"

/* A new object's bytes at one thread, or at each. */
void check_unwritten_fill(uint64_t address, uint64_t bytes);

/* A read of a scalar or record, or of a range: reported if nothing of it has been written. */
void check_unwritten_read(uint64_t address, uint64_t bytes, uint32_t site);
/* Reads of a line: bit i of `bytes` stands for byte i. */
void check_unwritten_line(uint64_t address, uint64_t bytes, uint32_t site);
/* Reads that a loop is about to make; they are looked at by check_unwritten_swept. */
void check_unwritten_sweep(uint64_t address, uint64_t stride, uint64_t n, uint64_t bytes,
                           uint32_t site);
void check_unwritten_swept(void);

#endif
