// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 8x1
// Block size 8: shifts and masks.
#define QUALIFIERS shared [8]
#define T short
#define COUNT (16 * THREADS)
#define BLOCK 8
#include "inputs/model.h"
