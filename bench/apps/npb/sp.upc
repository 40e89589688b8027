/* SPDX-License-Identifier: BSD-3-Clause */
/* SP in UPC. */
#include "sp.h"

#include "cfd_upc.h"

int main(void) { return cfd_main(); }
