// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3
//@ exit: 1
//@ stderr: R0601
//@ stderr: upc_all_fread_local_async
//@ stderr: another asynchronous operation on the file is outstanding
// A second asynchronous operation on a file ends the job, whether it is checked or not.
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    char a[8] = {0}, b[8];
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_all_fwrite_local_async(f, a, 1, 8, 0);
    upc_all_fread_local_async(f, b, 1, 8, 0);
    return check_done();
}
