/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to upcrun over the control socket (docs/launch.md). Without upcrun they go nowhere. */
#ifndef FL_UPC_CONTROL_H
#define FL_UPC_CONTROL_H

#include "core/status.h"

/* "KIND" or "KIND NUMBER" or "KIND NUMBER NUMBER". Async-signal-safe. */
void upc_control_send0_sigsafe(const char *kind);
void upc_control_send1_sigsafe(const char *kind, long a);
void upc_control_send2_sigsafe(const char *kind, long a, long b);

/* Registers what reports fatal errors and deadly signals. Before any UPC thread runs. */
void upc_control_start(void);

#endif
