// SPDX-License-Identifier: BSD-3-Clause
// Every role, blocks larger than 2^18.
#define LAYOUT shared [300000]
#define COUNT (300000 * THREADS)
#include "inputs/roles.h"
