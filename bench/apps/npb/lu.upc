/* SPDX-License-Identifier: BSD-3-Clause */
/* LU in UPC. */
#include "lu.h"

#include "cfd_upc.h"

int main(void) { return cfd_main(); }
