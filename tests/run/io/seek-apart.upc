// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3 2x2
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: upc_all_fseek: offset is 0 in thread 0 (tests/run/io/seek-apart.upc:13), but 8 in thread 1
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    upc_all_fseek(f, MYTHREAD * 8, UPC_SEEK_SET);
    return check_done();
}
