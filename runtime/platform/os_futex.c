/* SPDX-License-Identifier: BSD-3-Clause */
/* Futexes between processes. Linux. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool wait(_Atomic uint32_t *word, uint32_t expected, const struct timespec *timeout) {
    int saved = errno;
    bool timed_out = syscall(SYS_futex, word, FUTEX_WAIT, expected, timeout, NULL, 0) != 0 &&
                     errno == ETIMEDOUT;
    errno = saved;
    return !timed_out;
}

void fl_os_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
    wait(word, expected, NULL);
}

bool fl_os_futex_wait_timeout(_Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                               .tv_nsec = (long)(timeout_ns % 1000000000u)};
    return wait(word, expected, &timeout);
}

void fl_os_futex_wake(_Atomic uint32_t *word, int n) {
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAKE, n, NULL, NULL, 0);
    errno = saved;
}
