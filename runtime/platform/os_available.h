/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory can still be allocated, for os_memory.c alone. UINT64_MAX: unknown, or no
 * limit. */
#ifndef FL_PLATFORM_OS_AVAILABLE_H
#define FL_PLATFORM_OS_AVAILABLE_H

#include <stdint.h>

/* In the machine: available memory and free swap. */
uint64_t os_machine_available(void);

/* In the control groups of this process, including memory that they could reclaim. */
uint64_t os_group_available(void);

#endif
