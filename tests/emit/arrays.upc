// SPDX-License-Identifier: BSD-3-Clause
// Static arrays of each layout, in the static environment.
//@ static-threads: 4
//@ flags: -network=smp
#include <upc_relaxed.h>

shared int cyclic[40];
shared [5] int blocked[40];
shared [] int one_place[40];
shared [*] int even[40];
shared int scalar;

int sum(int i) {
    return cyclic[i] + blocked[i] + one_place[i] + even[i] + scalar;
}

shared [3] int matrix[8][6];

void write(int i, int j, int value) {
    matrix[i][j] = value;
}
