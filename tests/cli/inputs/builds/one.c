// SPDX-License-Identifier: BSD-3-Clause
// Part of a program in three languages; each function adds 1 to 4.

long one(void) {
    long sum = 0;
#pragma omp parallel for
    for (int i = 1; i <= 4; i++) {
#pragma omp atomic
        sum += i;
    }
    return sum;
}
