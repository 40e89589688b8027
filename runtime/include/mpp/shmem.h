/* SPDX-License-Identifier: BSD-3-Clause */
/* Where <shmem.h> was before OpenSHMEM 1.1 (1.5, annex F). */
#include <shmem.h>
