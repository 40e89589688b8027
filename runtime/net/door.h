/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A door stands before a listening TCP socket: its thread accepts connections, has the other end
 * prove itself (handshake.h), and hands on proven connections. The thread is the door's own because
 * two processes may connect to each other at the same time, and each waits for the other's answer.
 */
#ifndef FL_NET_DOOR_H
#define FL_NET_DOOR_H

#include "net/net.h"

/* Makes `fd`, a socket that listens, the descriptor from which proven connections are taken: it is
 * readable when there is one. The door closes when `fd` is closed. 0, or an error of errno's. */
FL_MUST_USE int fl_door_open(int fd);

/* The socket that listens in the place of `fd`; -1: `fd` belongs to no door. */
int fl_door_listener(int fd);

/* The next proven connection; -1 and errno EAGAIN if there is none. */
FL_MUST_USE int fl_door_take(int fd);

#endif
