// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
//@ spec: 7.8.1.1p1 7.8.1.2p2 7.8.3p3 7.8.4p1 7.8.4.2p8 7.8.5p1 7.8.5.2p8 7.8.6p11 7.8.7.9p3 7.8.7.10p5
//@ spec: 7.8.6p7 7.8.6p9 7.8.6p10 7.8p4
// What may not be called, refused with errno: while an operation is outstanding, against the mode of
// the file, and with lists or amounts that cannot be. The file is usable afterwards.
#include "../../check.h"
#include <errno.h>
#include <stdint.h>
#include <upc_io.h>

shared char spread[8 * THREADS];
static char buffer[8];

#define REFUSED(error, call)    \
    do {                        \
        errno = 0;              \
        CHECK_EQ(call, -1);     \
        CHECK_EQ(errno, error); \
    } while (0)

static void outstanding(upc_file_t *f)
{
    struct upc_local_memvec local = {buffer, 1};
    struct upc_shared_memvec remote = {spread, 1, 1};
    struct upc_filevec file = {0, 1};
    upc_all_fread_local_async(f, buffer, 1, 1, 0);
    REFUSED(EBUSY, upc_all_fsync(f));
    REFUSED(EBUSY, upc_all_fseek(f, 0, UPC_SEEK_SET));
    REFUSED(EBUSY, upc_all_fset_size(f, 3));
    REFUSED(EBUSY, upc_all_fget_size(f));
    REFUSED(EBUSY, upc_all_fpreallocate(f, 3));
    REFUSED(EBUSY, upc_all_fread_local(f, buffer, 1, 1, 0));
    REFUSED(EBUSY, upc_all_fread_shared(f, spread, 1, 1, 1, 0));
    REFUSED(EBUSY, upc_all_fwrite_local(f, buffer, 1, 1, 0));
    REFUSED(EBUSY, upc_all_fwrite_shared(f, spread, 1, 1, 1, 0));
    REFUSED(EBUSY, upc_all_fread_list_local(f, 1, &local, 1, &file, 0));
    REFUSED(EBUSY, upc_all_fread_list_shared(f, 1, &remote, 1, &file, 0));
    REFUSED(EBUSY, upc_all_fwrite_list_local(f, 1, &local, 1, &file, 0));
    REFUSED(EBUSY, upc_all_fwrite_list_shared(f, 1, &remote, 1, &file, 0));
    CHECK_EQ(upc_all_fwait_async(f), 1);
    int flag = 0;
    REFUSED(EINVAL, upc_all_fwait_async(f));
    REFUSED(EINVAL, upc_all_ftest_async(f, &flag));
}

static void lists(upc_file_t *f)
{
    struct upc_local_memvec memory[] = {{buffer, 4}, {NULL, 2}};
    struct upc_filevec four = {0, 4}, back[] = {{8, 2}, {0, 2}}, twice[] = {{0, 3}, {2, 1}}, below = {-1, 4};
    REFUSED(EFAULT, upc_all_fread_list_local(f, 1, NULL, 1, &four, 0));
    REFUSED(EINVAL, upc_all_fread_list_local(f, 2, memory, 1, &four, 0));
    REFUSED(EINVAL, upc_all_fread_list_local(f, 0, NULL, 1, &four, 0));
    REFUSED(EINVAL, upc_all_fread_list_local(f, 1, memory, 2, back, 0));
    REFUSED(EINVAL, upc_all_fread_list_local(f, 1, memory, 1, &below, 0));
    REFUSED(EINVAL, upc_all_fwrite_list_local(f, 1, memory, 2, twice, 0));
    CHECK_EQ(upc_all_fread_list_local(f, 1, memory, 2, twice, 0), 4);
    struct upc_shared_memvec nowhere = {NULL, 0, 4};
    REFUSED(EFAULT, upc_all_fwrite_list_shared(f, 1, &nowhere, 1, &four, 0));
}

int main(void)
{
    const int own = UPC_INDIVIDUAL_FP | UPC_CREATE;
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_TRUNC | own, 0, NULL);
    CHECK_EQ(upc_all_fwrite_local(f, "12345678", 1, 8, 0), 8);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    outstanding(f);
    lists(f);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    REFUSED(EFAULT, upc_all_fread_local(f, NULL, 1, 1, 0));
    REFUSED(EFAULT, upc_all_fread_shared(f, NULL, 1, 1, 1, 0));
    REFUSED(EOVERFLOW, upc_all_fwrite_local(f, buffer, SIZE_MAX / 2, 3, 0));
    REFUSED(EOVERFLOW, upc_all_fwrite_shared(f, spread, 1, SIZE_MAX, 2, 0));
    CHECK_EQ(upc_all_fseek(f, INT64_MAX, UPC_SEEK_SET), INT64_MAX);
    REFUSED(EOVERFLOW, upc_all_fwrite_local(f, buffer, 1, 1, 0));
    // Only one thread's call is wrong: the others do theirs.
    CHECK_EQ(upc_all_fseek(f, MYTHREAD, UPC_SEEK_SET), MYTHREAD);
    int last = MYTHREAD == THREADS - 1;
    CHECK_EQ(upc_all_fread_local(f, last ? NULL : buffer, 1, 1, 0), last ? -1 : 1);
    CHECK_EQ(upc_all_fclose(f), 0);

    f = upc_all_fopen("file", UPC_RDWR | UPC_COMMON_FP, 0, NULL);
    REFUSED(EINVAL, upc_all_fread_local(f, buffer, 1, 1, 0));
    REFUSED(EINVAL, upc_all_fwrite_local(f, buffer, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
    REFUSED(EFAULT, upc_all_fread_shared(f, NULL, 1, 1, 1, 0));
    REFUSED(EOVERFLOW, upc_all_fwrite_shared(f, spread, 1, SIZE_MAX, 2, UPC_OUT_NOSYNC));
    CHECK_EQ(upc_all_fclose(f), 0);
    f = upc_all_fopen("file", UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
    REFUSED(EBADF, upc_all_fwrite_shared(f, spread, 1, 1, 8, 0));
    CHECK_EQ(upc_all_fread_shared(f, spread, 1, 1, 8, 0), 8);
    CHECK_EQ(spread[0], '1');
    CHECK_EQ(upc_all_fclose(f), 0);
    f = upc_all_fopen("file", UPC_WRONLY | own, 0, NULL);
    REFUSED(EBADF, upc_all_fread_local(f, buffer, 1, 1, 0));
    REFUSED(EBADF, upc_all_fread_shared(f, spread, 1, 1, 1, 0));
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
