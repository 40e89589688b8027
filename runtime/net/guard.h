/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands between UCX and TCP: UCX believes whatever comes from a connection, and a stranger's first
 * bytes can end the process. So the one who connects begins with the job's key, and a connection
 * that does not is closed before UCX hears of it.
 */
#ifndef FL_NET_GUARD_H
#define FL_NET_GUARD_H

#include <stdint.h>

/* Before the first connection. */
void fl_guard_key(uint64_t key);

#endif
