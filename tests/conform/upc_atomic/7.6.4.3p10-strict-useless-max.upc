// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// A maximum that changes nothing is a strict read and write all the same.
#define WRITE(p) (*(p) = 1)
#define READ(p) order_apply(UPC_MAX, p, -1, 0)
#include "inputs/store-buffering.h"
