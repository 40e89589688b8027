// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 3
//@ mappings: 3x1 1x3
// Every operator on every integer type, with THREADS known to the compiler.
#define QUALIFIERS shared [4]
#define LENGTH 17
#include "inputs/all_integers.h"
