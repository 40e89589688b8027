// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 3
//@ flags: -O3
// Loops over `shared [7]` with THREADS known.
#define QUALIFIERS shared [7]
#include "inputs/check_loops.h"
