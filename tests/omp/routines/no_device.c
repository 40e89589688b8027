/* SPDX-License-Identifier: BSD-3-Clause */
//@ not-clang: it compiles a target region for the host alone into a plain call
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ exit: 1
//@ stderr: R0902
int main(void) {
    int n = 0;
#pragma omp target map(tofrom : n)
    n++;
    return n - 1;
}
