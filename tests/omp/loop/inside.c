/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops inside one region, with and without their barriers, one after another. */
#include "../inputs/check.h"

enum { N = 200 };
static int a[N], b[N], order[N];

int main(void) {
#pragma omp parallel
    {
        for (int round = 0; round < 30; round++) {
#pragma omp for schedule(static) nowait
            for (int i = 0; i < N; i++) {
                a[i] += i;
            }
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                b[i] += a[i];
            }
#pragma omp for schedule(dynamic, 3)
            for (int i = N - 1; i >= 0; i--) {
                a[i] -= i;
            }
#pragma omp for schedule(guided) nowait
            for (unsigned i = 0; i < N; i += 2) {
                order[i]++;
            }
#pragma omp for schedule(dynamic) nowait
            for (unsigned long long i = 1; i < N; i += 2) {
                order[i]++;
            }
        }
    }
    for (int i = 0; i < N; i++) {
        CHECK(a[i] == 0 && b[i] == 30 * i && order[i] == 30);
    }
    return result();
}
