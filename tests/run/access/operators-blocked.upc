// SPDX-License-Identifier: BSD-3-Clause
// Every operator on every integer type of a blocked array.
#define QUALIFIERS shared [3]
#define LENGTH (8 * THREADS)
#include "inputs/all_integers.h"
