/* SPDX-License-Identifier: BSD-3-Clause */
/* BT in UPC. */
#include "bt.h"

#include "cfd_upc.h"

int main(void) { return cfd_main(); }
