// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p4
//@ mappings: 2x1 1x2
// Strict accesses are sequentially consistent: of two threads that each write and then read the
// other's location, at least one sees the write.
#define X strict shared []
#define Y strict shared []
#define BETWEEN
#include "inputs/store-buffering.h"
