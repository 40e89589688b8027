/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 70 64 6 -check
#include "../../../bench/openmp/sor.c"
