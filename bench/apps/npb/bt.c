/* SPDX-License-Identifier: BSD-3-Clause */
/* BT by OpenMP. */
#include "bt.h"

#include "cfd_omp.h"

int main(void) { return cfd_main(); }
