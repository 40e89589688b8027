// SPDX-License-Identifier: BSD-3-Clause
// Programs that touch other threads' memory by calls alone: what they expect.
#include <stdio.h>

static int wrong;

static void expect(const char *what, long got, long expected)
{
    if (got != expected && !wrong) {
        printf("thread %d: %s: %ld, not %ld\n", MYTHREAD, what, got, expected);
        wrong = 1;
    }
}

static int done(void)
{
    if (!wrong)
        puts("ok");
    return wrong;
}
