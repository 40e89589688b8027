/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
//@ args: 16 8 32 4 -check
#include "../../../bench/openmp/fft.c"
