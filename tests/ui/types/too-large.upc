// SPDX-License-Identifier: BSD-3-Clause
#include <upc.h>

shared [2] int fits[1000 * THREADS];
shared [2] int wraps[9223372036854775807 * THREADS]; //~ error E0320
shared [] char one_place[4294967296][4294967296]; //~ error E0320
