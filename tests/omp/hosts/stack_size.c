// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 3x1
//@ env: OMP_STACKSIZE=60M
// Threads of regions have stacks as large as OMP_STACKSIZE says, on all hosts.
#include "../inputs/check.h"

enum { BYTES = 50 << 20 };

__attribute__((noinline)) static long fill(int value) {
    volatile unsigned char bytes[BYTES];
    long sum = 0;
    for (int i = 0; i < BYTES; i += 4096) {
        bytes[i] = (unsigned char)value;
    }
    for (int i = 0; i < BYTES; i += 4096) {
        sum += bytes[i];
    }
    return sum;
}

int main(void) {
    long sum = 0;
    int n = omp_get_max_threads();
#pragma omp parallel reduction(+ : sum)
    if (omp_get_thread_num() > 0) {
        sum += fill(omp_get_thread_num());
    }
    CHECK(sum == (BYTES + 4095L) / 4096 * n * (n - 1) / 2);
    return result();
}
