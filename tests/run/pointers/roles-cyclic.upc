// SPDX-License-Identifier: BSD-3-Clause
// Every role, block size 1.
#define LAYOUT shared
#define COUNT (8 * THREADS)
#include "inputs/roles.h"
