/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the C library that keep state between calls: a UPC thread that is a pthread has its own
 * of it, as one that is a process has, with the same results (docs/guide.md). The rest of this room
 * defines them, weak: a program's own definition of the name goes before, even with -static. What
 * libc itself calls inside is not affected.
 *
 * A process of one UPC thread, and threads that are no UPC threads, have one state, as in plain C.
 * They are made of the reentrant forms where the C library has them.
 */
#ifndef FL_LIBC_STATE_H
#define FL_LIBC_STATE_H

#include "upc/process.h"

/* The caller's state: `bytes` of it, zeros at first. Ends the job if there is no memory. */
void *libc_state(enum upc_libc_state which, size_t bytes);

/* Visible to shared libraries of the program too. */
#define LIBC_OWN __attribute__((weak, visibility("default")))

#endif
