// SPDX-License-Identifier: BSD-3-Clause
// setjmp, longjmp, signal handlers and alloca in UPC threads.
//@ mappings: 1x1 3x1
#include "../../check.h"
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>

static jmp_buf back;
static volatile sig_atomic_t caught;
shared int steps[THREADS];

static void handler(int number)
{
    caught = number;
}

static void deep(int n)
{
    char *space = alloca(1000);
    memset(space, n, 1000);
    steps[MYTHREAD]++;
    if (n == 0)
        longjmp(back, 7);
    deep(n - 1);
}

int main(void)
{
    int got = setjmp(back);
    if (got == 0)
        deep(20);
    CHECK_EQ(got, 7);
    CHECK_EQ(steps[MYTHREAD], 21);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    CHECK_EQ(caught, SIGUSR1);
    return check_done();
}
