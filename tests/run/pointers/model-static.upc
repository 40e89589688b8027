// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 3
//@ mappings: 3x1 1x3
// Block size 4 with THREADS known.
#define QUALIFIERS shared [4]
#define T long double
#define COUNT 50
#define BLOCK 4
#include "inputs/model.h"
