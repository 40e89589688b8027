// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:3x1
// errno is each thread's, and no access to shared memory changes it; the C library's own variables
// stay the library's.
#include "../../check.h"
#include <errno.h>
#include <unistd.h>

extern char **environ;

shared int numbers[THREADS];

int main(void)
{
    errno = MYTHREAD + 1;
    for (int i = 0; i < 1000; i++) {
        numbers[(MYTHREAD + 1) % THREADS] = i;
        CHECK_EQ(numbers[(MYTHREAD + 1) % THREADS], i);
    }
    upc_barrier;
    CHECK_EQ(errno, MYTHREAD + 1);
    CHECK(environ != NULL);
    CHECK(stdout != NULL && stderr != NULL && stdin != NULL);
    CHECK_EQ(close(-1), -1);
    CHECK_EQ(errno, EBADF);
    CHECK(getenv("PATH") != NULL);
    return check_done();
}
