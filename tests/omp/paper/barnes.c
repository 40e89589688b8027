/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 600 3 -check
#include "../../../bench/openmp/barnes.c"
