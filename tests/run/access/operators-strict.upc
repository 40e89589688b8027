// SPDX-License-Identifier: BSD-3-Clause
// Every operator on every integer type, by strict accesses.
#define QUALIFIERS strict shared [2]
#define LENGTH (4 * THREADS)
#include "inputs/all_integers.h"
