/* SPDX-License-Identifier: BSD-3-Clause */
/* The stage of a barrier between hosts, as barrier.c uses it. */
#ifndef FL_SYNC_HOSTS_H
#define FL_SYNC_HOSTS_H

#include "sync/barrier.h"

/* The calling thread is the last of its host to arrive. Publishes the epoch as the barrier's word,
 * now or in a handler, when all hosts have arrived. */
void fl_barrier_hosts_arrive(const struct fl_barrier *barrier,
                             const struct fl_barrier_thread *thread);

/* The record of a thread of another host that gave the value in an epoch, which is over. */
FL_COLD const struct fl_barrier_record *
fl_barrier_hosts_record(const struct fl_barrier *barrier, unsigned thread, uint32_t epoch);

#endif
