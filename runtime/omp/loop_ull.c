/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over `unsigned long long`. */
#include "omp/loop.h"

typedef unsigned long long number;
#define LOOP(name) GOMP_loop_ull_##name
#define DIRECTION bool up,
#define UP up
#include "omp/loop_entries.h"
