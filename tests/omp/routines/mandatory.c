/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_TARGET_OFFLOAD=mandatory
/* Who asks for the host gets it. */
#include "../inputs/check.h"

int main(void) {
    int n = 0;
    CHECK(omp_get_default_device() < 0);
#pragma omp target if (n) map(tofrom : n)
    n++;
#pragma omp target device(omp_get_initial_device()) map(tofrom : n)
    n++;
    omp_set_default_device(omp_get_initial_device());
#pragma omp target map(tofrom : n)
    n++;
    CHECK(n == 3);
    return result();
}
