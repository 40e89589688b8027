/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands between UCX and TCP: UCX believes whatever comes from a connection, and a stranger's first
 * bytes can end the process. So the one who connects begins with the job's key, and a connection
 * that does not is closed before UCX hears of it.
 *
 * And UCX waits for ever for a host that has lost its power or its cable. TCP itself gives a
 * connection up whose bytes nobody acknowledges, if it is told for how long to wait.
 */
#ifndef FL_NET_GUARD_H
#define FL_NET_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* Before the first connection. */
void fl_guard_setup(uint64_t key, uint32_t patience_ms);

/* Whether any connection has been reset, and did not just fall silent. */
bool fl_guard_was_reset(void);

#endif
