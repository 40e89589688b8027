// SPDX-License-Identifier: BSD-3-Clause
//@ warn: W0511
//@ mappings: 1x1 2x1 1x3
//@ exit: 1
//@ stderr: R0307
//@ stderr: calls upc_all_fread_local between upc_notify
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    char a[8];
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_notify;
    upc_all_fread_local(f, a, 1, 8, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_wait;
    return check_done();
}
