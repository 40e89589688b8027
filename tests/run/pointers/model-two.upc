// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 5x1 1x7
// Block size 2, elements of three bytes.
struct three { char c[3]; };
#define QUALIFIERS shared [2]
#define T struct three
#define COUNT (9 * THREADS)
#define BLOCK 2
#include "inputs/model.h"
