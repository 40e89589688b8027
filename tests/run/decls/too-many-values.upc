// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:2x1
//@ exit: 1
//@ stderr: R0114
//@ stderr: too-many-values.upc:8: values is initialised with 7 values, but has
#include <upc.h>

shared int values[2][2 * THREADS] = {{1}, {1, 2, [6] = 3}};

int main(void) { return 0; }
