// SPDX-License-Identifier: BSD-3-Clause
// Every role, strict and blocked.
#define LAYOUT strict shared [2]
#define COUNT (8 * THREADS)
#include "inputs/roles.h"
