// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.3.5p2 7.8.3.5p3 7.8.3.5p5 7.8.3.5p6 7.8.3.5p8 7.8.3.5p9 7.8.3.6p2 7.8.3.7p2 7.8.3.7p3
//@ spec: 7.8.3.7p4 7.8.3.7p5 7.8.3.7p6
// Sizes are set, asked for and reserved; what was written stays, and so do file pointers.
#include "../../check.h"
#include <errno.h>
#include <sys/stat.h>
#include <upc_io.h>

int main(void)
{
    char out[10], in[10];
    memset(out, 'a' + MYTHREAD, sizeof out);
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK_EQ(upc_all_fseek(f, 10 * MYTHREAD, UPC_SEEK_SET), 10 * MYTHREAD);
    CHECK_EQ(upc_all_fwrite_local(f, out, 1, 10, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 10);
    CHECK_EQ(upc_all_fget_size(f), 10 * THREADS);

    CHECK_EQ(upc_all_fset_size(f, 5000), 0);
    CHECK_EQ(upc_all_fget_size(f), 5000);
    CHECK_EQ(upc_all_fpreallocate(f, 200000), 0);
    CHECK_EQ(upc_all_fget_size(f), 200000);
    struct stat status;
    CHECK(stat("file", &status) == 0 && status.st_blocks * 512 >= 200000);
    CHECK_EQ(upc_all_fpreallocate(f, 100), 0);
    CHECK_EQ(upc_all_fpreallocate(f, 0), 0);
    CHECK_EQ(upc_all_fget_size(f), 200000);
    CHECK_EQ(upc_all_fseek(f, -10, UPC_SEEK_CUR), 10 * MYTHREAD);
    CHECK_EQ(upc_all_fread_local(f, in, 1, 10, 0), 10);
    CHECK(memcmp(in, out, 10) == 0);

    // Truncated before the pointer.
    CHECK_EQ(upc_all_fset_size(f, 3), 0);
    CHECK_EQ(upc_all_fget_size(f), 3);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 10 * MYTHREAD + 10);
    CHECK_EQ(upc_all_fread_local(f, in, 1, 10, 0), 0);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_local(f, in, 1, 10, 0), 3);
    CHECK(memcmp(in, "aaa", 3) == 0);

    errno = 0;
    CHECK_EQ(upc_all_fset_size(f, -1), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fpreallocate(f, -1), -1);
    CHECK_EQ(upc_all_fclose(f), 0);

    f = upc_all_fopen("file", UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    errno = 0;
    CHECK_EQ(upc_all_fset_size(f, 1), -1);
    CHECK_EQ(errno, EBADF);
    errno = 0;
    CHECK_EQ(upc_all_fpreallocate(f, 1), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(upc_all_fget_size(f), 3);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
