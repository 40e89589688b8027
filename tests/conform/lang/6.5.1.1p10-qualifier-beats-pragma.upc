// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p10
//@ mappings: 2x1 1x2
// Under `#pragma upc relaxed` an object declared strict is strict still.
#include <upc_relaxed.h>
#define X strict shared []
#define Y strict shared [0]
#define BETWEEN
#pragma upc relaxed
#include "inputs/store-buffering.h"
