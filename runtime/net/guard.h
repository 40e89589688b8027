/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands between UCX and TCP: UCX believes whatever comes from a connection, and a stranger's first
 * bytes can end the process. So both ends of a connection prove that they know the job's key
 * (handshake.h) before UCX hears of it; one that does not is closed.
 *
 * And UCX waits for ever for a host that has lost its power or its cable. TCP itself gives a
 * connection up whose bytes are not acknowledged, if it is told for how long to wait.
 */
#ifndef FL_NET_GUARD_H
#define FL_NET_GUARD_H

#include "net/net.h"

/* Before the first socket. `key` as in struct fl_net_setup. Null, or why not. */
const char *fl_guard_setup(const unsigned char *key, uint32_t patience_ms);

/* Whether another program than the job's has answered a connection: the reason why a peer is lost. */
bool fl_guard_met_stranger(void);

/* Whether any connection has been reset, and did not just fall silent. */
bool fl_guard_was_reset(void);

#endif
