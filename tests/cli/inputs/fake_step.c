// SPDX-License-Identifier: BSD-3-Clause
// Stands for examples/interoperation/cuda_step.cu where there is no GPU (fake_cuda.c).
#include <stdint.h>

int cuMemAlloc_v2(uint64_t *address, unsigned long n);

static double *host_of(const double *device) {
    return (double *)((uint64_t)device & ~(1ull << 62));
}

double *rod_new(int n, double first, double rest) {
    uint64_t device;
    cuMemAlloc_v2(&device, (n + 2) * sizeof(double));
    for (int i = 0; i < n + 2; i++) {
        host_of((double *)device)[i] = i == 0 ? first : rest;
    }
    return (double *)device;
}

void rod_step(double *to, const double *from, int n) {
    to = host_of(to), from = host_of(from);
    for (int i = 1; i <= n; i++) {
        to[i] = from[i] + 0.25 * (from[i - 1] - 2 * from[i] + from[i + 1]);
    }
}

double rod_sum(const double *rod, int n) {
    double sum = 0;
    for (int i = 1; i <= n; i++) {
        sum += host_of(rod)[i];
    }
    return sum;
}
