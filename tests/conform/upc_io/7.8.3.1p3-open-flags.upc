// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.3.1p2 7.8.3.1p4 7.8.3.1p11 7.8.3.1p12
// Which flags go together, what they do to the file, and that errors are the same in all threads.
#include "../../check.h"
#include <errno.h>
#include <unistd.h>
#include <upc_io.h>

static void fails(const char *name, int flags, int error)
{
    errno = 0;
    CHECK(upc_all_fopen(name, flags, 0, NULL) == NULL);
    CHECK_EQ(errno, error);
}

static upc_off_t size_once_open(int flags)
{
    upc_file_t *f = upc_all_fopen("file", flags, 0, NULL);
    CHECK(f != NULL);
    upc_off_t at = upc_all_fseek(f, 0, UPC_SEEK_CUR), size = upc_all_fget_size(f);
    CHECK_EQ(at, flags & UPC_APPEND ? size : 0);
    CHECK_EQ(upc_all_fclose(f), 0);
    return size;
}

int main(void)
{
    const int own = UPC_INDIVIDUAL_FP;
    // One access mode and one kind of pointer; each flag a bit of its own.
    fails("file", own, EINVAL);
    fails("file", UPC_RDWR | UPC_RDONLY | own, EINVAL);
    fails("file", UPC_RDWR | UPC_CREATE, EINVAL);
    fails("file", UPC_RDWR | own | UPC_COMMON_FP, EINVAL);
    fails("file", UPC_RDWR | own | UPC_EXCL, EINVAL);
    fails("file", UPC_RDONLY | own | UPC_TRUNC | UPC_CREATE, EINVAL);
    fails(NULL, UPC_RDONLY | own, EFAULT);
    const int all[] = {UPC_RDONLY, UPC_WRONLY, UPC_RDWR, UPC_INDIVIDUAL_FP, UPC_COMMON_FP, UPC_APPEND,
                       UPC_CREATE, UPC_EXCL, UPC_STRONG_CA, UPC_TRUNC, UPC_DELETE_ON_CLOSE};
    int bits = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        CHECK(all[i] > 0 && (bits & all[i]) == 0);
        bits |= all[i];
    }

    if (MYTHREAD == 0) {
        unlink("file");
        unlink("exclusive");
    }
    upc_barrier;
    fails("file", UPC_RDWR | own, ENOENT);
    fails("nowhere/file", UPC_RDWR | own | UPC_CREATE, ENOENT);
    fails(".", UPC_RDONLY | own, EISDIR);
    CHECK_EQ(size_once_open(UPC_WRONLY | UPC_CREATE | own), 0);
    fails("file", UPC_RDWR | own | UPC_CREATE | UPC_EXCL, EEXIST);
    CHECK_EQ(size_once_open(UPC_RDWR | UPC_CREATE | own), 0);

    upc_file_t *f = upc_all_fopen("file", UPC_WRONLY | own, 0, NULL);
    CHECK_EQ(upc_all_fset_size(f, 123), 0);
    CHECK_EQ(upc_all_fclose(f), 0);
    CHECK_EQ(size_once_open(UPC_RDONLY | UPC_APPEND | own), 123);
    CHECK_EQ(size_once_open(UPC_RDWR | UPC_APPEND | UPC_COMMON_FP), 123);
    CHECK_EQ(size_once_open(UPC_WRONLY | UPC_TRUNC | UPC_APPEND | own), 0);
    CHECK_EQ(size_once_open(UPC_RDWR | UPC_DELETE_ON_CLOSE | own), 0);
    CHECK(access("file", F_OK) != 0);

    // Every thread has the same handle; a handle that is passed on is still that of the file.
    f = upc_all_fopen("exclusive", UPC_RDWR | UPC_CREATE | UPC_EXCL | own, 0, NULL);
    static upc_file_t *shared given;
    if (MYTHREAD == THREADS - 1)
        given = f;
    upc_barrier;
    CHECK(f != NULL);
    CHECK(given == f);
    CHECK_EQ(upc_all_fclose(given), 0);
    return check_done();
}
