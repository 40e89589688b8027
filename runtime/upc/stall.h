/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that hang: what each thread waits for. */
#ifndef FL_UPC_STALL_H
#define FL_UPC_STALL_H

/* If the launcher may ask where threads are, starts a thread that answers on stderr. If
 * FURLONG_STALL_SECONDS is set, starts a thread that speaks up when a UPC thread of this process
 * has waited so long, names those who have not come to the barrier in which it waits, and where
 * they were last, and lists all of them when it is asked (core/stall.h). Before any UPC thread
 * runs. */
void upc_stall_start(void);

/* On several hosts, before comm is connected: threads that others wait for in a barrier are named on
 * their host. */
void upc_stall_register(void);

#endif
