// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// A relaxed read after a strict set comes after it.
#define WRITE(p) order_set(p, 1)
#define READ(p) (*(p))
#include "inputs/store-buffering.h"
