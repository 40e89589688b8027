/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that <shmem.h> defines inline, as functions of the library: for calls that are not
 * inlined, for addresses, and for tools (<pshmem.h>). */
#define FURLONG_CALL

#include "shmem.h"
