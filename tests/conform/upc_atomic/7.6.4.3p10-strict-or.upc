// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// So is a bit that is set already.
#define WRITE(p) order_apply(UPC_OR, p, 1, 0)
#define READ(p) (*(p))
#include "inputs/store-buffering.h"
