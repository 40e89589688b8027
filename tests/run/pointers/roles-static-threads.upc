// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 3
//@ mappings: 3x1 1x3
// Every role, with THREADS known.
#define LAYOUT shared [4]
#define COUNT 25
#include "inputs/roles.h"
