// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3
// Indefinite.
#define QUALIFIERS shared []
#define T int
#define COUNT 20
#define BLOCK 0
#include "inputs/model.h"
