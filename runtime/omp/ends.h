/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends of tasks of other hosts, several in a message: each message releases what its tasks have
 * written, for a round trip where homes have to confirm atomic operations, and for diffs and
 * further page faults where tasks write beside each other. While a member has more tasks, ends are
 * held back, up to FURLONG_OMP_ENDS of them. None waits behind a long task for long: the balancer
 * sends them when it looks.
 */
#ifndef FL_OMP_ENDS_H
#define FL_OMP_ENDS_H

#include "omp/messages.h"

#include <stdatomic.h>

/* Before the first region of several hosts. */
void fl_omp_ends_start(void);

/* A task of that host has ended; `more`: the member goes on with others. */
void fl_omp_ends_add(unsigned host, const struct fl_omp_end *end, bool more);

/* Sends all that are held back. The caller holds no lock that handlers take. */
FL_COLD void fl_omp_ends_send_all(void);

extern _Atomic uint32_t fl_omp_ends_held; /* hosts whose ends are held back */

static inline void fl_omp_ends_send(void) {
    /* Relaxed: a member that has added one looks itself. */
    if (FL_UNLIKELY(atomic_load_explicit(&fl_omp_ends_held, memory_order_relaxed) != 0)) {
        fl_omp_ends_send_all();
    }
}

#endif
