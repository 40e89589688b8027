/* SPDX-License-Identifier: BSD-3-Clause */
/* LU by OpenMP. */
#include "lu.h"

#include "cfd_omp.h"

int main(void) { return cfd_main(); }
