/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 125 3 -check
#include "../../../bench/openmp/water.c"
