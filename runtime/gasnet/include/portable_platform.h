/* SPDX-License-Identifier: BSD-3-Clause */
/* The old name. */
#include "gasnet_portable_platform.h"
