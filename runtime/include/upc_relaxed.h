/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_relaxed.h>: <upc.h>, and relaxed shared accesses from here on, whenever included
 * (UPC 1.3 7.1.2). */
#include <upc.h>
#pragma upc relaxed
