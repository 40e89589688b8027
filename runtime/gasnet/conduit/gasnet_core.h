/* SPDX-License-Identifier: BSD-3-Clause */
/* The conduit @CONDUIT@ has no interface of its own. */
#ifndef GASNET_CORE_H
#define GASNET_CORE_H

#include "gasnet_core_fwd.h"

#endif
