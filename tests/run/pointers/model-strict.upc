// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 2x2
// Block size 3 and strict: the arithmetic is the same.
#define QUALIFIERS strict shared [3]
#define T long
#define COUNT (7 * THREADS)
#define BLOCK 3
#include "inputs/model.h"
