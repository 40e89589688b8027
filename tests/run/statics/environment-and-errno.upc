// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3
// errno is each thread's; the C library's own variables stay the library's.
#include "../../check.h"
#include <errno.h>
#include <unistd.h>

extern char **environ;

int main(void)
{
    errno = MYTHREAD + 1;
    upc_barrier;
    CHECK_EQ(errno, MYTHREAD + 1);
    CHECK(environ != NULL);
    CHECK(stdout != NULL && stderr != NULL && stdin != NULL);
    CHECK_EQ(close(-1), -1);
    CHECK_EQ(errno, EBADF);
    CHECK(getenv("PATH") != NULL);
    return check_done();
}
