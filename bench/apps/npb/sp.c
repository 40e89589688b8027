/* SPDX-License-Identifier: BSD-3-Clause */
/* SP by OpenMP. */
#include "sp.h"

#include "cfd_omp.h"

int main(void) { return cfd_main(); }
