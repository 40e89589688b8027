// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
//@ spec: 7.8.3.2p3 7.8.3.2p4 7.8.3.2p5 7.8.3.8p3 7.8.3.3p2 7.8.3.3p3 7.8.3.3p4
// Closing, and what is no longer open. After it, or a sync, POSIX sees the data.
#include "../../check.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <upc_io.h>

static void expect(const char *text)
{
    char found[16] = "";
    int fd = open("file", O_RDONLY);
    CHECK_EQ(pread(fd, found, sizeof found - 1, 0), strlen(text));
    CHECK(strcmp(found, text) == 0);
    close(fd);
}

int main(void)
{
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    size_t mine = MYTHREAD == THREADS - 1 ? 3 : 0;
    CHECK_EQ(upc_all_fwrite_local(f, "abc", 1, mine, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), mine);
    CHECK_EQ(upc_all_fsync(f), 0);
    expect("abc");
    upc_barrier;
    CHECK_EQ(upc_all_fwrite_local(f, "de", 1, 2 * mine / 3, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 2 * mine / 3);
    CHECK_EQ(upc_all_fclose(f), 0);
    expect("abcde");

    errno = 0;
    CHECK_EQ(upc_all_fclose(f), -1);
    CHECK_EQ(errno, EBADF);
    errno = 0;
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), -1);
    CHECK_EQ(errno, EBADF);
    errno = 0;
    CHECK_EQ(upc_all_fsync(f), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(upc_all_fclose(NULL), -1);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), -1);
    CHECK_EQ(upc_all_fget_size(f), -1);
    CHECK_EQ(upc_all_fset_size(f, 0), -1);
    CHECK_EQ(upc_all_fpreallocate(f, 0), -1);

    // An outstanding operation keeps a file from being closed.
    char c = 'x';
    f = upc_all_fopen("file", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_all_fwrite_local_async(f, &c, 1, 1, 0);
    errno = 0;
    CHECK_EQ(upc_all_fclose(f), -1);
    CHECK_EQ(errno, EBUSY);
    CHECK_EQ(upc_all_fwait_async(f), 1);
    CHECK_EQ(upc_all_fclose(f), 0);
    expect("xbcde");
    return check_done();
}
