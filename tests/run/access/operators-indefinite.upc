// SPDX-License-Identifier: BSD-3-Clause
// Every operator on every integer type of an array on one thread.
#define QUALIFIERS shared []
#define LENGTH 12
#include "inputs/all_integers.h"
