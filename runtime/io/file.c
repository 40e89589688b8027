/* SPDX-License-Identifier: BSD-3-Clause */
/* See file.h. POSIX. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_unseekable(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return -errno;
    }
    switch (status.st_mode & S_IFMT) {
    case S_IFDIR:
        return -EISDIR;
    case S_IFIFO:
    case S_IFSOCK:
        return -ESPIPE;
    default:
        return 0;
    }
}

int fl_io_open(const char *name, int flags, unsigned mode, int *fd_p) {
    int saved = errno, fd;
    do {
        /* A pipe without a partner would block for ever; files do not look at the flag. */
        fd = open(name, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, (mode_t)mode);
    } while (fd < 0 && errno == EINTR);
    int error = fd < 0 ? -errno : refuse_unseekable(fd);
    errno = saved;
    if (error && fd >= 0) {
        fl_io_close(fd);
    }
    if (!error) {
        *fd_p = fd;
    }
    return error;
}

void fl_io_close(int fd) {
    int saved = errno;
    (void)close(fd); /* what could still go wrong, fl_io_sync has reported */
    errno = saved;
}

/* The result of one call, with errno as it was: 0, or the negative error. */
#define GUARDED(call)                                                                              \
    ({                                                                                             \
        int saved_ = errno, result_;                                                               \
        do {                                                                                       \
            result_ = (call) == 0 ? 0 : -errno;                                                    \
        } while (result_ == -EINTR);                                                               \
        errno = saved_;                                                                            \
        result_;                                                                                   \
    })

void fl_io_forbid(int fd, unsigned mode) {
    struct stat status;
    if (GUARDED(fstat(fd, &status)) == 0) {
        (void)GUARDED(fchmod(fd, status.st_mode & 07777 & ~mode));
    }
}

int fl_io_sync(int fd) {
    int error = GUARDED(fsync(fd));
    return error == -EINVAL || error == -EROFS ? 0 : error; /* a device that keeps nothing */
}

int fl_io_size(int fd, int64_t *size_p) {
    struct stat status;
    int error = GUARDED(fstat(fd, &status));
    if (!error) {
        *size_p = status.st_size;
    }
    return error;
}

int fl_io_resize(int fd, int64_t size) {
    return GUARDED(ftruncate(fd, size));
}

int fl_io_reserve(int fd, int64_t size) {
    int error;
    do {
        error = size > 0 ? posix_fallocate(fd, 0, size) : 0;
    } while (error == EINTR);
    return -error;
}

void fl_io_advise(int fd, int advice) {
    (void)posix_fadvise(fd, 0, 0, advice);
}

uint64_t fl_io_identity(int fd, bool one_host) {
    struct stat status;
    if (GUARDED(fstat(fd, &status)) != 0) {
        return 0;
    }
    uint64_t device = one_host ? (uint64_t)status.st_dev : 0;
    return device << 40 ^ (uint64_t)status.st_ino;
}
