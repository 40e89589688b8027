// SPDX-License-Identifier: BSD-3-Clause
// Every role, indefinite.
#define LAYOUT shared []
#define COUNT 8
#include "inputs/roles.h"
