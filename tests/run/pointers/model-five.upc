// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 5x1 1x7
// Block size 5, no multiple of a power of two anywhere.
#define QUALIFIERS shared [5]
#define T double
#define COUNT (11 * THREADS)
#define BLOCK 5
#include "inputs/model.h"
