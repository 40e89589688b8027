// SPDX-License-Identifier: BSD-3-Clause
// Every operator on every integer type of an evenly divided array.
#define QUALIFIERS shared [*]
#define LENGTH (4 * THREADS)
#include "inputs/all_integers.h"
