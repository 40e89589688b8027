// SPDX-License-Identifier: BSD-3-Clause
// Every operator on every integer type of a cyclic array.
#define QUALIFIERS shared
#define LENGTH (8 * THREADS)
#include "inputs/all_integers.h"
