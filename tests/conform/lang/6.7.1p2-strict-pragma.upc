// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p2
//@ mappings: 2x1 1x2
// Under `#pragma upc strict` unqualified accesses are strict.
#pragma upc strict
#define X shared []
#define Y shared []
#define BETWEEN
#include "inputs/store-buffering.h"
