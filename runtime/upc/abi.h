/* SPDX-License-Identifier: BSD-3-Clause */
/* The emitter ABI as the runtime itself sees it: THREADS is known only at run time. */
#ifndef FL_UPC_ABI_H
#define FL_UPC_ABI_H

enum { UPCR_STATIC_THREADS = 0, UPCR_NETWORK = 1 };
#include "furlong/upcr.h"

#endif
