/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program tells a performance tool (gasp.h). The functions do nothing unless the program is
 * linked with `upcc -inst` and there is a tool; then they may be called by UPC threads only.
 */
#ifndef FURLONG_PUPC_H
#define FURLONG_PUPC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Switches measurement of the calling thread on or off; returns what it was. Without a tool 0. */
int pupc_control(int on);

/* A new event of the program, to be started and ended. Both texts may be null, and are copied by the
 * tool if it keeps them. Without a tool 0. */
unsigned int pupc_create_event(const char *name, const char *desc);

/* Further arguments are handed to the tool. */
void pupc_event_start(unsigned int event, ...);
void pupc_event_end(unsigned int event, ...);
void pupc_event_atomic(unsigned int event, ...);

#ifdef __cplusplus
}
#endif

#endif
