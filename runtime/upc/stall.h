/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that hang: what each thread waits for. */
#ifndef FL_UPC_STALL_H
#define FL_UPC_STALL_H

/* If the launcher may ask where threads are, starts a thread that answers on stderr. If
 * FURLONG_STALL_SECONDS is set, starts a thread that reports each UPC thread of this process that
 * has waited so long, names the threads that have not arrived at the barrier in which it waits,
 * with the barrier at which they were last, and lists all threads on request (core/stall.h). To be
 * called before any UPC thread runs. */
void upc_stall_start(void);

/* Registers the handler that names this host's threads for which other hosts wait in a barrier. On
 * several hosts, before comm is connected. */
void upc_stall_register(void);

#endif
