/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_strict.h>: <upc.h>, and strict shared accesses from here on, whenever included
 * (UPC 1.3 7.1.2). */
#include <upc.h>
#pragma upc strict
