/* SPDX-License-Identifier: BSD-3-Clause */
/* Bells, and sleeping on descriptors. Linux. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int fl_os_bell_create(int *fd_p) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) {
        return -errno;
    }
    *fd_p = fd;
    return 0;
}

void fl_os_bell_ring(int fd) {
    int saved = errno;
    uint64_t one = 1;
    (void)!write(fd, &one, sizeof one);
    errno = saved;
}

bool fl_os_bell_sleep(int fd, int other_fd, uint64_t timeout_ns) {
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = other_fd, .events = POLLIN}};
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                               .tv_nsec = (long)(timeout_ns % 1000000000u)};
    int saved = errno;
    uint64_t rings;
    bool rung = ppoll(fds, 2, timeout_ns == UINT64_MAX ? NULL : &timeout, NULL) > 0 &&
                (fds[0].revents & POLLIN) && read(fd, &rings, sizeof rings) == sizeof rings;
    errno = saved;
    return rung;
}
