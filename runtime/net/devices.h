/* SPDX-License-Identifier: BSD-3-Clause */
/* The network devices by which other hosts can be reached: all but the loopback interface. */
#ifndef FL_NET_DEVICES_H
#define FL_NET_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

/* Their names as UCX has them, with commas between: interfaces that run and have an address, and
 * InfiniBand ports. False if there are none, or too many for the room. An interface that has just
 * been switched on is waited for, `patience_ms` at most, where there is no other. */
bool fl_devices_list(char *text, size_t room, unsigned patience_ms);

/* Waits for one interface alone, if it has just been switched on. */
void fl_devices_await(const char *interface, unsigned patience_ms);

/* The first address of an interface, as text; false: it has none, or there is no such interface. */
bool fl_devices_address(const char *interface, char *text, size_t room);

#endif
