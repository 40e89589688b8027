// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O3
// Every operator on every integer type, optimised.
#define QUALIFIERS shared [5]
#define LENGTH (7 * THREADS)
#include "inputs/all_integers.h"
