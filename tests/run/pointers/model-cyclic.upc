// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 5x1 1x7
// Block size 1.
#define QUALIFIERS shared
#define T int
#define COUNT (8 * THREADS)
#define BLOCK 1
#include "inputs/model.h"
