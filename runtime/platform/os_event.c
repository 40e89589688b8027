/* SPDX-License-Identifier: BSD-3-Clause */
/* Bells, alarms, and sleeping on descriptors. Linux. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int created(int fd, int *fd_p) {
    if (fd < 0) {
        return -errno;
    }
    *fd_p = fd;
    return 0;
}

static struct timespec timespec_of(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u),
                             .tv_nsec = (long)(ns % 1000000000u)};
}

int fl_os_bell_create(int *fd_p) {
    return created(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), fd_p);
}

void fl_os_bell_ring(int fd) {
    int saved = errno;
    uint64_t one = 1;
    (void)!write(fd, &one, sizeof one);
    errno = saved;
}

bool fl_os_bell_sleep(int fd, int other_fd, uint64_t timeout_ns) {
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = other_fd, .events = POLLIN}};
    struct timespec timeout = timespec_of(timeout_ns);
    int saved = errno;
    uint64_t rings;
    bool rung = ppoll(fds, 2, timeout_ns == UINT64_MAX ? NULL : &timeout, NULL) > 0 &&
                (fds[0].revents & POLLIN) && read(fd, &rings, sizeof rings) == sizeof rings;
    errno = saved;
    return rung;
}

int fl_os_alarm_create(int *fd_p) {
    return created(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), fd_p);
}

void fl_os_alarm_set(int fd, uint64_t ns) {
    int saved = errno;
    struct itimerspec when = {.it_value = timespec_of(ns)};
    (void)timerfd_settime(fd, 0, &when, NULL);
    errno = saved;
}
