/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 96 8 -check
#include "../../../bench/openmp/lu.c"
