// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.3.4p2 7.8.3.4p4 7.8.3.4p5 7.8.3.4p6 7.8.3.4p7 7.8.3.4p8 7.8p6 7.8p7 7.8p8 7.8.3p2
// Seeking from the three origins, past the end, and where it is an error.
#include "../../check.h"
#include <errno.h>
#include <stdint.h>
#include <upc_io.h>

shared [] char *one;

static void refused(upc_file_t *f, upc_off_t offset, int origin, int error)
{
    upc_off_t before = upc_all_fseek(f, 0, UPC_SEEK_CUR);
    errno = 0;
    CHECK_EQ(upc_all_fseek(f, offset, origin), -1);
    CHECK_EQ(errno, error);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), before);
}

int main(void)
{
    char c = (char)('a' + MYTHREAD), got[4] = "";
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK_EQ(upc_all_fseek(f, 10 * MYTHREAD, UPC_SEEK_SET), 10 * MYTHREAD);
    CHECK_EQ(upc_all_fseek(f, 5, UPC_SEEK_CUR), 10 * MYTHREAD + 5);
    CHECK_EQ(upc_all_fseek(f, -2, UPC_SEEK_CUR), 10 * MYTHREAD + 3);
    refused(f, -1, UPC_SEEK_SET, EINVAL);
    refused(f, -1000, UPC_SEEK_CUR, EINVAL);
    refused(f, 0, 3, EINVAL);
    refused(f, INT64_MAX, UPC_SEEK_CUR, EOVERFLOW);

    // Seeking past the end, and reading there, leaves the size; writing there sets it.
    CHECK_EQ(upc_all_fget_size(f), 0);
    CHECK_EQ(upc_all_fread_local(f, got, 1, 4, 0), 0);
    CHECK_EQ(upc_all_fget_size(f), 0);
    CHECK_EQ(upc_all_fwrite_local(f, &c, 1, 1, 0), 1);
    CHECK_EQ(upc_all_fget_size(f), 10 * (THREADS - 1) + 4);
    CHECK_EQ(upc_all_fsync(f), 0);
    CHECK_EQ(upc_all_fseek(f, -1 - MYTHREAD * 10, UPC_SEEK_END), 10 * (THREADS - 1 - MYTHREAD) + 3);
    CHECK_EQ(upc_all_fread_local(f, got, 1, 1, 0), 1);
    CHECK_EQ(got[0], 'a' + THREADS - 1 - MYTHREAD);
    // What is there is read, and no more.
    CHECK_EQ(upc_all_fseek(f, -1, UPC_SEEK_END), 10 * (THREADS - 1) + 3);
    CHECK_EQ(upc_all_fread_local(f, got, 1, 4, 0), 1);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 10 * (THREADS - 1) + 4);
    CHECK_EQ(upc_all_fclose(f), 0);

    // One pointer for all.
    one = upc_all_alloc(1, 100);
    f = upc_all_fopen("common", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    CHECK_EQ(upc_all_fwrite_shared(f, one, 0, 1, 100, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 100);
    CHECK_EQ(upc_all_fseek(f, -40, UPC_SEEK_END), 60);
    CHECK_EQ(upc_all_fseek(f, 10, UPC_SEEK_CUR), 70);
    CHECK_EQ(upc_all_fread_shared(f, one, 0, 7, 10, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 30);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 100);
    refused(f, -1, UPC_SEEK_SET, EINVAL);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
