/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 61 -check
#include "../../../bench/openmp/mgs.c"
