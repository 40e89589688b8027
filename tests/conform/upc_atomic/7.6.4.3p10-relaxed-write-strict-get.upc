// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// A relaxed write before a strict get comes before it.
#define WRITE(p) (*(p) = 1)
#define READ(p) order_apply(UPC_GET, p, 0, 0)
#include "inputs/store-buffering.h"
