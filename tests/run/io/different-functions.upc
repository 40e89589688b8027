// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ exit: 1
//@ stderr: R0306
//@ stderr: upc_all_fsync
//@ stderr: upc_all_fclose
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    if (MYTHREAD == 0)
        upc_all_fsync(f);
    else
        upc_all_fclose(f);
    return check_done();
}
