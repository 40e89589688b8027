// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p5
//@ mappings: 2x1 1x2
// upc_fence completes the accesses before it before any after it.
#define X relaxed shared []
#define Y relaxed shared []
#define BETWEEN upc_fence
#include "inputs/store-buffering.h"
