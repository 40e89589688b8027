// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0601
//@ stderr: common file pointer
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    char a[8] = {0};
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    upc_all_fwrite_local(f, a, 1, 8, 0);
    return check_done();
}
