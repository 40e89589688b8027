/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += omp_get_thread_num();
    printf("%d of %d\n", sum, omp_get_max_threads());
    return 0;
}
