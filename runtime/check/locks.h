/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: what they order, which are held at the end, and in which order they are taken. */
#ifndef FL_CHECK_LOCKS_H
#define FL_CHECK_LOCKS_H

/* The calling thread ends: it holds no locks. */
void check_locks_end(void);

#endif
