/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of gasnet_portable_platform.h in older releases of GASNet. */
#include "gasnet_portable_platform.h"
