// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// Two threads that each set one object and get the other's: at least one sees the other's value.
#define WRITE(p) order_set(p, 1)
#define READ(p) order_apply(UPC_GET, p, 0, 0)
#include "inputs/store-buffering.h"
