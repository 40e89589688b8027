/* SPDX-License-Identifier: BSD-3-Clause */
/* Where OpenSHMEM has implementations declare what is theirs alone: nothing. */
#include <shmem.h>
