/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 12 7 -check
#include "../../../bench/openmp/tsp.c"
