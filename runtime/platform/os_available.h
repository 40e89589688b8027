/* SPDX-License-Identifier: BSD-3-Clause */
/* What memory is left, for os_memory.c alone. UINT64_MAX: unknown, or not limited. */
#ifndef FL_PLATFORM_OS_AVAILABLE_H
#define FL_PLATFORM_OS_AVAILABLE_H

#include <stdint.h>

/* In the machine: available memory and free swap. */
uint64_t os_machine_available(void);

/* In the control groups that this process is in, what they could reclaim included. */
uint64_t os_group_available(void);

#endif
