// SPDX-License-Identifier: BSD-3-Clause
// Every role, block size 3.
#define LAYOUT shared [3]
#define COUNT (8 * THREADS)
#include "inputs/roles.h"
