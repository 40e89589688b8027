// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// A conditional swap that fails is a strict read.
#define WRITE(p) (*(p) = 1)
#define READ(p) order_apply(UPC_CSWAP, p, 2, 3)
#include "inputs/store-buffering.h"
