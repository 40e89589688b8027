// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1
//@ flags: -O2 -fopenmp
// Loops that OpenMP takes for one stay next to each other.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

static shared [20] int b[120 * THREADS];

int main(void)
{
    long sum = 0;
    for (int i = MYTHREAD; i < 120 * THREADS; i += THREADS)
        b[i] = i;
    upc_barrier;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < 12 * THREADS; i++)
        for (int j = 0; j < 10; j++)
            sum += b[i * 10 + j];
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < 12 * THREADS; i++) {
        for (int j = 0; j < 10; j++) {
            int k = i * 10 + j;
            while (k > 6 && b[k] > 5)
                k -= 7;
            sum += k - b[k];
        }
    }
    expect("sum", sum, 60l * THREADS * (120 * THREADS - 1));
    return MYTHREAD == 0 ? done() : wrong;
}
