// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x5
//@ flags: -O3 -network=smp
//@ one-host
// Loops over `shared [6]`.
#define QUALIFIERS shared [6]
#include "inputs/check_loops.h"
