// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x5
//@ flags: -O0 -g
// Loops over `shared [5]`.
#define QUALIFIERS shared [5]
#include "inputs/check_loops.h"
