// SPDX-License-Identifier: BSD-3-Clause
// What a test program needs to check itself: each thread counts its failures, prints the first
// few, and returns `check_done()` from main. Knows nothing of what is tested.
#ifndef FURLONG_TESTS_CHECK_H
#define FURLONG_TESTS_CHECK_H

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>

static int check_failures;

static inline void check_fail(const char *file, int line, const char *what)
{
    if (check_failures++ < 5)
        printf("%s:%d: thread %d of %d: %s\n", file, line, (int)MYTHREAD, (int)THREADS, what);
}

static inline void check_equal(const char *file, int line, const char *what, long long got,
                               long long expected)
{
    if (got == expected)
        return;
    if (check_failures++ < 5)
        printf("%s:%d: thread %d of %d: %s is %lld, not %lld\n", file, line, (int)MYTHREAD,
               (int)THREADS, what, got, expected);
}

#define CHECK(condition) ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, #condition))
#define CHECK_EQ(got, expected) \
    check_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(expected))

// Waits without keeping a core from the thread that is waited for.
#define WAIT_UNTIL(condition) \
    while (!(condition))      \
    sched_yield()

// The last thing main does: all threads are done, and thread 0 says `ok` if it has no complaint.
static inline int check_done(void)
{
    upc_barrier;
    if (MYTHREAD == 0 && check_failures == 0)
        puts("ok");
    return check_failures != 0;
}

#endif
