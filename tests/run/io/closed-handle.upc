// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0601
//@ stderr: upc_all_fseek
//@ stderr: the handle is not that of an open file
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK_EQ(upc_all_fclose(f), 0);
    upc_all_fseek(f, 0, UPC_SEEK_SET);
    return check_done();
}
